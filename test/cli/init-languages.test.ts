/** What a new site of the extended deployment has beside a basic one. */
import { expect, it } from 'vitest';
import { filesIn, newSite } from './run.ts';

it('has a default category in each of its languages', async () => {
  const [extended, basic] = [await newSite('--deployment', 'extended'), await newSite()];
  const files = await filesIn(extended.dir);
  expect(files['terms/category/allgemein.yaml']).toMatch(/^id: 2\nname: Allgemein\nlang: de\ntranslation_of: uncategorized\n/);
  expect(await filesIn(basic.dir)).not.toHaveProperty('terms/category/allgemein.yaml');
});
