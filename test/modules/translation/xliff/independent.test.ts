/** Documents of the jobs of a site as another reader understands them: the same units, texts, codes and targets, in both versions. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import xliff, { type InlineElement, type Unit, type Value } from 'xliff';
import { createUnitCodec } from '../../../../src/modules/translation/units/index.ts';
import type { Piece } from '../../../../src/modules/translation/units/record.ts';
import { type XliffVersion, xliffVersions } from '../../../../src/modules/translation/xliff/record.ts';
import { startSite, type TestSite } from '../../../support/site.ts';
import { answered, orderOf, siteFiles } from '../jobs/site.ts';

const odd = `---
id: 18
title: "Fish & <chips>"
date: 2026-03-05T10:00:00
---
One *two **three*** \`four\`<br/>![five "6"](x.png) [seven][eight] %s {name}

[eight]: /x

> quoted ]]> line
> and another

| a | b \\| c |
|---|---|
| d | e&nbsp;f |
`;
const items = [
  [10, 'page'],
  [12, 'page'],
  [14, 'post'],
  [15, 'post'],
  [18, 'page'],
] as const;

let at: TestSite;
let jobIds: number[] = [];
beforeAll(async () => {
  at = await startSite({ files: { ...siteFiles, 'pages/odd.md': odd } });
  const { created } = await at.site.translationJobs.create(
    orderOf(items.map(([id, type]) => ({ id, type, targets: ['de'] }))),
    null,
  );
  jobIds = created.map(({ jobId }) => jobId);
  // One is translated in part: it has targets, and units without one.
  const first = jobIds[0] as number;
  const only = (unit: string): boolean => unit !== 'excerpt';
  await at.site.translationJobs.applyResult(first, answered(at.site, first, { only, change: (text) => `${text}é` }), null);
});
afterAll(() => at.close());

/** Texts, and codes by their kind and number: white space is what that reader is careless of. */
const bare = (text: string): string => text.replace(/\s+/g, '');

const kinds: Readonly<Record<string, 'open' | 'close' | 'alone'>> = { SpanStart: 'open', SpanEnd: 'close', Standalone: 'alone' };

function shownBy(value: Value, version: XliffVersion): string {
  if (typeof value === 'string') return bare(value);
  if (Array.isArray(value)) return value.map((one: Value) => shownBy(one, version)).join('');
  const [[kind, { id, contents = '' }] = ['', {}]] = Object.entries(value as InlineElement);
  if (version === '2.0' && kind === 'Span') return `{open ${id}}${shownBy(contents, version)}{close ${id}}`;
  const raw = version === '1.2' && kind !== 'Standalone' ? ` ${shownBy(contents, version)}` : '';
  return `{${kind === 'Span' ? 'alone' : kinds[kind]} ${id}${raw}}`;
}

function shown(pieces: readonly Piece[], version: XliffVersion): string {
  return pieces
    .map((piece) => {
      if (piece.kind === 'text') return bare(piece.text);
      return `{${piece.kind} ${piece.id}${version === '1.2' ? ` ${bare(piece.raw)}` : ''}}`;
    })
    .join('');
}

describe.each(xliffVersions)('another XLIFF %s reader', (version) => {
  it('finds each unit with source and target', async () => {
    let [units, targets] = [0, 0];
    for (const jobId of jobIds) {
      const text = at.site.translationJobs.xliff(jobId, version);
      const read =
        version === '1.2' ? await xliff.xliff12ToJs(text, { captureSpacesBetweenElements: true }) : await xliff.xliff2js(text);
      expect([read.sourceLanguage, read.targetLanguage]).toEqual(['en', 'de']);
      const [[file, found] = ['', {}], ...more] = Object.entries(read.resources);
      expect(more).toEqual([]);
      expect(version === '1.2' ? file : text).toMatch(version === '1.2' ? new RegExp(`^${jobId}-`) : `original="${jobId}-`);
      const job = at.site.translationJobs.job(jobId);
      const wanted = (job?.parts ?? []).flatMap((part) => {
        const codec = createUnitCodec(part.format, part.text);
        return part.units.map(({ target, ...unit }) => ({
          id: unit.id,
          source: shown(codec.pieces(unit), version),
          target: target === null ? undefined : shown(codec.pieces(unit), version),
        }));
      });
      const own = Object.entries(found as Record<string, Unit>).filter(([, unit]) => 'source' in unit);
      const ids = own.map(([id, { additionalAttributes }]) => (version === '1.2' ? id : additionalAttributes.name));
      expect(ids).toEqual(wanted.map(({ id }) => id));
      for (const [place, [, { source, target }]] of own.entries()) {
        const { id, ...unit } = wanted[place] as (typeof wanted)[number];
        expect(shownBy(source, version), id).toBe(unit.source);
        // What was added to each text of a target is added to none of its codes.
        const translated = target === undefined ? undefined : shownBy(target, version).replaceAll('é', '');
        expect(translated, id).toBe(unit.target);
        if (target !== undefined) targets++;
      }
      units += own.length;
    }
    expect([units, targets]).toEqual([23, 7]);
  });
});

describe.runIf(spawnSync('pocount', ['--version']).error === undefined)('the Translate Toolkit', () => {
  it('counts the units of all documents, and the translated ones', () => {
    const dir = mkdtempSync(join(tmpdir(), 'cms-count-'));
    for (const jobId of jobIds) writeFileSync(join(dir, `job-${jobId}.xliff`), at.site.translationJobs.xliff(jobId, '1.2'));
    const counted = execFileSync('pocount', ['--csv', dir], { encoding: 'utf8' }).split('\n');
    rmSync(dir, { recursive: true });
    const names = (counted[0] as string).split(/,\s*/);
    const rows = counted.slice(1).filter((line) => line.includes('job-'));
    const sum = (name: RegExp): number =>
      rows.reduce((all, row) => all + Number(row.split(/,\s*/)[names.findIndex((one) => name.test(one))]), 0);
    const units = jobIds.flatMap((id) => at.site.translationJobs.job(id)?.parts.flatMap((part) => part.units) ?? []);
    expect(rows).toHaveLength(items.length);
    expect(sum(/^Total Message/i)).toBe(units.length);
    // It calls fuzzy what nobody has approved.
    expect(sum(/^Translated Messages/i) + sum(/^Fuzzy Messages/i)).toBe(units.filter(({ target }) => target !== null).length);
  });
});
