/** Members of structured values that a configuration names under `custom-fields-texts`. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startSite, type TestSite } from '../../../support/site.ts';
import { answered, ordered } from './site.ts';

const config =
  '<lang-config><custom-fields><custom-field action="translate">card</custom-field><custom-field action="translate">other</custom-field></custom-fields>' +
  '<custom-fields-texts><key name="card"><key name="head"/><key name="rows"><key name="*"><key name="label"/></key></key></key></custom-fields-texts></lang-config>';

let at: TestSite;
beforeAll(async () => {
  at = await startSite({
    files: {
      'site.yaml': `name: Harbour\ntimezone: UTC\ndeployment: extended\ntranslation_config: '${config}'\n`,
      'pages/about.md':
        '---\nid: 10\ntitle: About\ndate: 2026-03-05T10:00:00\nauthor: admin\nmeta:\n  card: { head: One, code: two, rows: [{ label: Three, to: four }] }\n  other: { head: Five }\n---\nText\n',
    },
  });
});
afterAll(() => at.close());

it('named members are units, and the rest of the value is copied', async () => {
  const { translationJobs: jobs } = at.site;
  const id = await ordered(at.site, 10, 'page');
  expect(jobs.job(id)?.parts.map((part) => part.id)).toEqual(['title', 'content', 'meta/card/head', 'meta/card/rows/0/label']);
  const { item } = await jobs.applyResult(id, answered(at.site, id, { change: (text) => `${text}de` }), null);
  expect(at.site.posts.get(item)?.meta).toEqual({
    card: { head: 'Onede', code: 'two', rows: [{ label: 'Threede', to: 'four' }] },
    other: { head: 'Five' },
  });
});
