#!/usr/bin/env node
/**
 * A site of Markdown pages from the order to the translated files, by the command line: processor time, time and highest memory of
 * ordering, exporting, importing what a translator would send back, and of a pseudo-translation into another language.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readOptions } from './options.mjs';

const usage = `usage: node bench/translation.mjs [options]     (npm run build first)
  --pages N    pages of the site (default 1000)
  --units N    paragraphs of a page (default 20)
  --dir DIR    where it is made (default: the system's temporary folder)
  --prof DIR   write a profile of each command there`;

const { values } = readOptions(
  {
    options: {
      pages: { type: 'string', default: '1000' },
      units: { type: 'string', default: '20' },
      dir: { type: 'string', default: tmpdir() },
      prof: { type: 'string' },
    },
  },
  usage,
);

const program = resolve(import.meta.dirname, '../bin/cms.js');
const pages = Number(values.pages);
const base = mkdtempSync(join(values.dir, 'cms-translation-'));
process.env.CMS_STATE_DIR = join(base, 'state');
try {
  const site = join(base, 'site');
  writeSite(site, Number(values.units));
  console.log(`${pages} pages of ${values.units} units, node ${process.version}`);
  for (const [name, ...line] of [
    ['order', 'order', '--to', 'de'],
    ['export', 'export', '--to', 'de'],
    ['import', 'import', 'xliff'],
    ['pseudo', 'pseudo', '--to', 'en-xa'],
  ]) {
    if (name === 'import') translate(join(site, 'xliff/de'));
    const { cpu, seconds, memory } = measure(site, name, line);
    console.log(
      `${name.padEnd(8)} ${cpu.toFixed(1).padStart(6)} s of processor time ${seconds.toFixed(1).padStart(6)} s ${String(memory).padStart(5)} MB`,
    );
  }
  const made = readdirSync(join(site, 'pages'));
  for (const code of ['de', 'en-xa']) {
    const count = made.filter((path) => path.endsWith(`.${code}.md`)).length;
    if (count !== pages) throw new Error(`${count} of ${pages} pages are there in ${code}`);
  }
} finally {
  rmSync(base, { recursive: true, force: true });
}

/** The title and every paragraph is a unit; paragraphs have links, emphasis and code. */
function writeSite(folder, units) {
  mkdirSync(join(folder, 'pages'), { recursive: true });
  writeFileSync(
    join(folder, 'site.yaml'),
    'name: Bench\ntimezone: UTC\ndeployment: extended\nlang: {languages: {en: {}, de: {}, en-xa: {name: Pseudo}}}\n',
  );
  for (let page = 1; page <= pages; page++) {
    const paragraph = (at) =>
      `Paragraph ${at} of page ${page} says *something* about [another page](/en/page-${(page % pages) + 1}/), with \`code\` and enough words for **two** lines.`;
    const body = Array.from({ length: units - 1 }, (_, at) => paragraph(at + 1)).join('\n\n');
    const head = `---\nid: ${page}\ntitle: Page ${page}\nslug: page-${page}\ndate: 2026-01-01T00:00:00\n---\n`;
    writeFileSync(join(folder, `pages/page-${page}.md`), `${head}${body}\n`);
  }
}

/** Documents as they come back: every unit translated. */
function translate(folder) {
  for (const name of readdirSync(folder)) {
    const text = readFileSync(join(folder, name), 'utf8');
    const translated = text.replace(
      /<source>([\s\S]*?)<\/source>/g,
      (source, inner) =>
        `${source}\n    <target state="translated">${inner.replace(/^(?:Paragraph|Page)/, '$& auf Deutsch')}</target>`,
    );
    writeFileSync(join(folder, name), translated);
  }
}

/** @returns processor time and time in seconds, highest memory in MB */
function measure(cwd, name, line) {
  const started = performance.now();
  const profile = values.prof
    ? ['--cpu-prof', '--cpu-prof-dir', resolve(values.prof), '--cpu-prof-name', `${name}.cpuprofile`]
    : [];
  const report = `process.on('exit', () => require('node:fs').writeSync(3, JSON.stringify(process.resourceUsage())))`;
  const { status, stderr, output } = spawnSync(
    process.execPath,
    [
      ...profile,
      '--import',
      `data:text/javascript,${encodeURIComponent(`import { createRequire } from 'node:module'; const require = createRequire('/');${report}`)}`,
      program,
      'translate',
      ...line,
    ],
    { cwd, stdio: ['ignore', 'ignore', 'pipe', 'pipe'], maxBuffer: 1e8 },
  );
  if (status !== 0) throw new Error(`${name}: ${stderr}`);
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(output[3]);
  return {
    cpu: (userCPUTime + systemCPUTime) / 1e6,
    seconds: (performance.now() - started) / 1000,
    memory: Math.round(maxRSS / 1024),
  };
}
