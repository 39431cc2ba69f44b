/** A site with items of every kind that there are jobs of. */
import { pseudo } from '../../../../src/modules/translation/units/pseudo.ts';
import { createUnitCodec } from '../../../../src/modules/translation/units/index.ts';
import { readXliff, writeXliff } from '../../../../src/modules/translation/xliff/index.ts';
import type { XliffState, XliffVersion } from '../../../../src/modules/translation/xliff/record.ts';
import type { JobOrder, OrderElement } from '../../../../src/modules/translation/jobs/record.ts';
import type { Site } from '../../../../src/kernel/site/site.ts';

const date = '2026-03-05T10:00:00';

export const siteFiles = {
  'site.yaml': `name: Harbour
timezone: Europe/Berlin
deployment: extended
default_category: general
translation:
  fields: { subtitle: translate, code: copy, once: copy-once, secret: ignore }
fields:
  - key: group_a
    title: A
    location:
      - [ { param: type, operator: "==", value: page } ]
    fields:
      - { key: f1, name: lead, type: text }
      - { key: f2, name: amount, type: number }
      - { key: f3, name: note, type: text, translation: ignore }
      - { key: f4, name: rows, type: repeater, fields: [{ key: f5, name: label, type: text }, { key: f6, name: to, type: number }] }
`,
  'pages/about.md': `---
id: 10
title: About *us*
date: ${date}
author: admin
excerpt: In short
fields:
  lead: A lead
  amount: "3"
  note: internal
  rows:
    - { label: One, to: 1 }
---
# Who we are

We are **many** people. See [the team](/en/about/team/) and \`code\`.

- one
- two
`,
  'pages/about/team.md': `---\nid: 12\ntitle: Team\ndate: ${date}\nauthor: admin\n---\nThe team.\n`,
  'posts/hello.html': `---\nid: 14\ntitle: Hello\ndate: ${date}\nauthor: admin\ncategories: [general]\ntags: [sea]\n---\n<!-- cms:paragraph -->\n<p>Hello <em>you</em></p>\n<!-- /cms:paragraph -->\n\n<!-- cms:search {"label":"Find"} /-->\n`,
  'posts/plain.html': `---\nid: 15\ntitle: Plain\ndate: ${date}\nauthor: admin\n---\nOne line\n\nTwo <b>lines</b>\n`,
  'posts/empty.md': `---\nid: 16\ntitle: "…"\ndate: ${date}\n---\n---\n`,
  'terms/category/general.yaml': 'id: 31\nname: General\ndescription: All sorts\n',
  'terms/category/allgemein.yaml': 'id: 32\nname: Allgemein\nlang: de\ntranslation_of: general\n',
  'terms/tag/sea.yaml': 'id: 33\nname: Sea\n',
} as const;

export function orderOf(elements: readonly OrderElement[], more: Partial<JobOrder> = {}): JobOrder {
  return { name: 'Spring', deadline: '', editor: 'local', automatic: false, translators: {}, elements, ...more };
}

export async function ordered(site: Site, id: number, type: string, more: Partial<JobOrder> = {}): Promise<number> {
  const { created } = await site.translationJobs.create(orderOf([{ id, type, targets: ['de'] }], more), null);
  return created[0]?.jobId ?? 0;
}

/** The document of a job as a translator sends it back. */
export function answered(
  site: Site,
  jobId: number,
  {
    version = '1.2',
    change = (text) => text,
    only = () => true,
    state = 'translated',
    isPseudo = false,
  }: {
    readonly version?: XliffVersion;
    readonly change?: (text: string) => string;
    readonly only?: (unit: string) => boolean;
    readonly state?: XliffState;
    readonly isPseudo?: boolean;
  } = {},
): string {
  const { translationJobs: jobs } = site;
  const job = jobs.job(jobId);
  const document = readXliff(jobs.xliff(jobId, version));
  const units = (job?.parts ?? []).flatMap((part) => {
    const codec = createUnitCodec(part.format, part.text);
    return part.units.map((unit) => {
      const source = codec.pieces(unit);
      const target = isPseudo
        ? pseudo(source)
        : source.map((piece) => (piece.kind === 'text' ? { kind: 'text' as const, text: change(piece.text) } : piece));
      return {
        id: unit.id,
        datatype: 'html',
        note: '',
        source,
        ...(only(unit.id) ? { target, state } : { target: null, state: 'untranslated' as const }),
      };
    });
  });
  const { original, sourceLang, targetLang } = document;
  return writeXliff({ original, sourceLang, targetLang, kind: 'page', href: '', units }, version);
}
