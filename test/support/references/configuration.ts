/** The page of all that can be configured: keys of `site.yaml`, operator settings, variables and flags of serving. */
import type { Option } from 'commander';
import { pretend } from '../../cli/run.ts';
import { createProgram } from '../../../src/cli/main.ts';
import { basicSettings, extended } from '../../../src/deployments.ts';
import { type OperatorSetting, operatorSettings } from '../../../src/kernel/model/operator.ts';
import { type Setting, siteSettings } from '../../../src/kernel/model/settings.ts';
import { code, generated } from './markdown.ts';

/** Variables that are not operator settings. */
const variables: Readonly<Record<string, string>> = {
  CMS_BACKUP_PASSPHRASE: 'Passphrase of a backup, for `cms backup` and `cms restore`',
  CMS_CONFIG: 'File with operator settings; default: `cms.config.yaml` next to the content folder',
  CMS_DEBUG: '`1` prints where an error happened, and names the worker in each response',
  CMS_IMPORT_CREDENTIALS: '`login:password` for `cms import`',
  CMS_METRICS_TOKEN: 'Token for metrics on the port of the site',
  CMS_PACKAGE: 'Variable of a repository on GitHub: where npm finds the program, for the check of `cms init --repository`',
  CMS_STATE_DIR: 'State directory of this machine; default: `$XDG_STATE_HOME/cms` or `~/.local/state/cms`',
};

/** Settings whose declarations have only the words that clients of the API see. */
const sentences: Readonly<Record<string, string>> = {
  name: 'Name of the site',
  description: 'Tagline',
  url: 'Public URL; default: where the server listens',
  home: 'URL of the front page, if it differs from `url`',
  timezone: 'Time zone of all dates in the folder',
  date_format: 'On the website, and for front ends that ask',
  time_format: 'On the website, and for front ends that ask',
  start_of_week: '0 is Sunday',
  language: 'Locale',
  logo: 'A media file',
  icon: 'A media file',
  smilies: '`false` switches them off',
  default_category: 'For posts without a category; default: the first one',
  default_format: 'Suggested to clients; posts without a format have the standard format',
  posts_per_page: 'On a page of the website, and for front ends that ask',
  front:
    '`posts`, or `page` for a fixed front page; the URL of [a front end](theme.md#a-front-end-of-your-own), to which pages are redirected',
  front_page: 'With `front: page`',
  posts_page: 'The page that lists the posts, with `front: page`',
  pings: 'Default for new posts',
  comments: 'Default for new posts',
};

export async function configurationReference(): Promise<string> {
  const serving = await servingOptions();
  const named = new Set(serving.flatMap(({ description }) => description.match(/\bCMS_[A-Z_]+\b/g) ?? []));
  const inBasic = new Set(basicSettings.map(({ key }) => key));
  const all = [...siteSettings(extended)].filter((row) => !row.private);
  return [
    '# Configuration',
    '',
    generated('the declarations of the settings'),
    '',
    'Describe the site in `site.yaml`, which anyone who may write to the content folder can change. Rights, limits and network access are operator settings: flags, variables and',
    '`cms.config.yaml` next to the folder ([commands](commands.md#operator-settings)).',
    '',
    '## Keys of site.yaml',
    '',
    'Changes take effect immediately, except `deployment`, `types`, `taxonomies` and everything that adds fields, which need a restart. In brackets: the name at `/cms/v2/settings`, of settings that clients can change. After `=`: the default.',
    '',
    ...all.map((row) => settingItem(row, inBasic.has(row.key))),
    '',
    'In addition: `types` and `taxonomies` ([content](content.md)), and keys of plugins.',
    '',
    '## Operator settings',
    '',
    'A variable takes precedence over the key in `cms.config.yaml`. In a variable, separate lists by commas or spaces; maps are JSON.',
    '',
    ...Object.entries<OperatorSetting>(operatorSettings).map(operatorItem),
    '',
    '## Variables for flags',
    '',
    `These variables set flags of \`cms serve\` ([command reference](command-reference.md#cms-serve)): ${[...named].sort().map(code).join(', ')}.`,
    '',
    '## Other variables',
    '',
    ...Object.entries(variables).map(([name, about]) => `- ${code(name)}: ${about}`),
    '',
  ].join('\n');
}

/** Variables that the page says something of. */
export async function knownVariables(): Promise<ReadonlySet<string>> {
  return new Set((await configurationReference()).match(/\bCMS_[A-Z_]+\b/g));
}

async function servingOptions(): Promise<readonly Option[]> {
  const program = await createProgram(['serve'], pretend().io);
  return program.commands.find((one) => one.name() === 'serve')?.options ?? [];
}

function settingItem({ key, schema, bounds, default: standard, name, refers }: Setting, isBasic: boolean): string {
  const about = sentenceOf(key, schema.description || schema.title || '');
  const value = refers === undefined ? valueText({ ...bounds, ...schema }) : refers === 'category' ? 'slug or id' : 'path or id';
  return `- ${code(key)}${name === undefined ? '' : ` (${code(name)})`}: ${value}${defaultText(standard)}. ${about}${isBasic ? '' : ' (extended)'}`;
}

/** What the table above says; of the others, what the declaration says. */
function sentenceOf(key: string, declared: string): string {
  const said = sentences[key] ?? declared;
  if (said === '') throw new Error(`the setting "${key}" has no sentence: in its declaration, or here`);
  return said.charAt(0).toUpperCase() + said.slice(1);
}

function valueText({ type, enum: values, minimum, maximum }: Setting['schema']): string {
  const types = [type ?? 'any'].flat().join(' or ');
  if (values)
    return Object.values(values)
      .map((one) => code(String(one)))
      .join(', ');
  if (minimum === undefined && maximum === undefined) return types;
  return `${types}, ${minimum ?? ''} to ${maximum ?? 'any'}`;
}

function defaultText(value: unknown): string {
  if (value === undefined || value === null || value === '') return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text === '{}' || text === '[]' || text.length > 60 ? '' : ` = ${code(text)}`;
}

function operatorItem([key, { env, kind, choices, default: standard, description }]: [string, OperatorSetting]): string {
  return `- ${code(key)}, ${code(env)}: ${choices ? choices.map(code).join(', ') : kind}${defaultText(standard)}. ${description}`;
}
