/**
 * Everything `cms validate` may say, once: how grave it is, what is wrong, what to do, and what `--fix` does about it. The checks,
 * the formats, `cms validate --rules` and docs/validate.md read this table.
 */
import { table } from '../kernel/model/maps.ts';
import { type Rule, rule, valueRules } from '../kernel/model/remark.ts';
import { statusRules } from '../modules/content/posts/status-remarks.ts';

/** By name, in the order of the documentation: files, values, ids and slugs, references, texts, media, comments, menus, design. */
export const rules = table({
  'conflict-marker': rule(
    'error',
    'A merge conflict is not resolved.',
    'Keep one of the two sides and remove the marker lines; `conflict_markers: true` says that they are text.',
  ),
  'yaml-syntax': rule('error', 'The YAML cannot be read.', 'Correct the line; text with `: ` or ` #` in it needs quotes.'),
  'yaml-not-a-map': rule('error', 'The YAML holds no keys.', 'Write `key: value` lines.'),
  'yaml-duplicate-key': rule('error', 'A key appears twice in a file.', 'Keep one of the two.'),
  'yaml-key': rule('error', 'A key is not plain text.', 'Write a word before the colon.'),
  'yaml-alias': rule(
    'error',
    'A YAML alias leads nowhere, or multiplies into too much data.',
    'Put text that begins with `*` in quotes.',
  ),
  'yaml-depth': rule('error', 'The YAML is nested too deeply.', 'Reduce the nesting.'),
  'toml-syntax': rule('error', 'The TOML of the front matter cannot be read.', 'Correct the line; text needs quotes.'),
  'json-syntax': rule(
    'error',
    'The JSON of the front matter cannot be read.',
    'Correct it where the message says; no comma stands behind the last member.',
  ),
  'front-matter-unclosed': rule('error', 'The front matter has no end.', 'End it with a line of exactly `---`.'),
  'front-matter-fence': rule(
    'error',
    'A line in the front matter begins with `---` and goes on.',
    'End the front matter with a line of exactly `---`.',
  ),
  'front-matter-language': rule(
    'error',
    'The front matter is in a language that is not read.',
    'Write YAML between `---`, TOML between `+++`, or a JSON object.',
  ),
  'front-matter-start': rule(
    'error',
    'The front matter does not begin on the first line, or its first line is not exactly `---`.',
    'Remove blank lines and anything else before or after the dashes.',
  ),
  'second-front-matter': rule(
    'warning',
    'A second front matter follows the first: readers see it as text.',
    'Move its keys up into the first one, as YAML, and delete the rest of it.',
  ),
  'invalid-utf8': rule('error', 'The file is not valid UTF-8.', 'Save it as UTF-8.'),
  'too-large': rule(
    'error',
    'The file, or its YAML, is too large to be read.',
    'Split it; the message says how large it may be.',
  ),
  unreadable: rule('warning', 'The system does not allow reading the file.', 'Check its owner and mode.'),
  'operator-file': rule(
    'error',
    'A file of operator settings lies in the git work tree of the content: its settings do not count.',
    'Name it from outside, with --config or CMS_CONFIG, or move it out of the repository.',
  ),
  'plugin-in-repository': rule(
    'error',
    'A plugin is allowed only by a file that git could bring, so it is not run.',
    'Allow plugins with CMS_PLUGINS=1, or in a file that is named with --config.',
  ),
  'half-written': rule(
    'warning',
    'A process ended in the middle of a write: some of its files are new, the others old.',
    'Start the server, or run `cms validate --fix`: either finishes the write.',
  ),
  'folder-unreadable': rule('error', 'The content folder cannot be listed.', 'Check its owner and mode.'),
  'not-read-link': rule('warning', 'A symbolic link is not followed.', 'Put the file itself there.'),
  'not-read-special': rule('warning', 'Neither a file nor a folder.', 'Take it out of the content folder.'),
  'not-read-name': rule(
    'warning',
    'The name cannot be told apart from others.',
    'Use valid UTF-8, no control characters and no backslashes.',
  ),
  'not-read-depth': rule('warning', 'Folders are nested too deeply.', 'Move the files up.'),
  'not-read-private': rule(
    'error',
    'A private file was not made on this machine, or was changed by others: it has no effect.',
    'If it is yours, `cms adopt` takes it over; otherwise delete it.',
  ),
  'not-read-tracked': rule(
    'error',
    'Something of `.cms` is tracked by git: accounts, keys and caches must not come with the content.',
    '`git rm -r --cached .cms` takes it out; commit that.',
  ),
  'not-read-repository': rule(
    'error',
    'A folder inside the content looks like a git repository, whose settings could make git run commands.',
    'Take it out of the content folder; run no git command in it before.',
  ),
  'not-content': rule(
    'warning',
    'A file is in a folder that is not read, or of a kind that is not read there.',
    'Move or rename it.',
  ),
  plugin: rule(
    'warning',
    'A plugin is in the folder, and whoever runs the server does not allow plugins: it has no effect.',
    'The operator allows plugins with `CMS_PLUGINS` (docs/modules.md); else delete the file.',
  ),
  'name-collision': rule(
    'warning',
    'Two names differ only in case: on macOS and Windows they are one file.',
    'Rename one of them.',
  ),
  'reserved-name': rule('warning', 'Windows cannot have a file of this name.', 'Rename it.'),

  field: valueRules.field,
  'unknown-key': rule(
    'warning',
    'A key looks like a misspelling of a known one.',
    'Correct it. Other unknown keys are taken for custom ones and not reported.',
  ),
  'private-key': rule(
    'warning',
    'A key has no effect in a file that everyone may see.',
    'Remove it; accounts are managed with `cms user`.',
  ),
  'operator-setting': valueRules['operator-setting'],
  declaration: rule(
    'error',
    'A type or taxonomy that `site.yaml` declares makes no sense.',
    'The message says why; it is left out until then.',
  ),
  'future-date': rule(
    'warning',
    'Published, but dated in the future: it is scheduled until then.',
    'Write `status: future` if that is intended, otherwise correct the date.',
  ),
  'undated-schedule': statusRules['undated-schedule'],
  'other-date': rule(
    'error',
    'A key that takes items down in other generators has no effect; nor has one that publishes them beside a `date`.',
    'Only `date` schedules an item; to take one down, write `status: draft`.',
  ),
  unlisted: statusRules.unlisted,
  'modified-before-date': rule('warning', 'Last changed before it was published.', 'Check which of the two dates is wrong.'),
  'plain-password': rule(
    'note',
    'A password stands in a file that everyone with the repository can read.',
    'It keeps casual readers out and nobody else: use `status: private` for what must not be read.',
  ),
  'empty-body': rule('note', 'A published item has no text.', 'Write one, or make it a draft.'),

  'missing-id': rule(
    'note',
    'The file, or a menu item, has no id yet.',
    'Nothing has to be done: the server writes one when it first sees the file.',
    'writes the next free id',
  ),
  'invalid-id': rule('error', 'An id is not a whole number from 1 to 2147483647.', 'Remove the line.', 'writes the next free id'),
  'duplicate-id': rule(
    'error',
    'Two files, comments or menu items have the same id. The one that had it first keeps it.',
    'Nothing has to be done: the server gives the other one an id of its own.',
    'gives the other one the next free id',
  ),
  'slug-form': rule('error', 'A slug cannot be part of an address as it is written.', 'Write it as the hint says.'),
  'duplicate-slug': rule('error', 'Two items have the same address.', 'Rename one of the files, or give one another `slug`.'),

  'unknown-reference': rule('error', 'A file names something that is not there.', 'Correct the name, or write the file.'),
  'unknown-name': rule(
    'warning',
    'A term or author that has no file looks like a misspelling of one that has.',
    'Correct it; if it is intended, write its file.',
  ),
  'new-name': rule(
    'note',
    'A term or author has no file yet; it is created when the site is served.',
    'Nothing has to be done; a file of its own can describe it.',
  ),
  'former-slug': rule(
    'note',
    'A file names something by a former slug.',
    'It still works; the present slug is clearer.',
    'writes the present slug',
  ),
  'unknown-parent': rule(
    'warning',
    'A page is in a folder without a page of its own, so it is at the top level.',
    'Write the page of the folder, or move the file up.',
  ),
  'parent-loop': rule('error', 'An item is its own ancestor.', 'Remove one parent from the loop.'),

  'block-unclosed': rule('error', 'A block is never closed.', 'Write its closing delimiter, or end the opening one with `/-->`.'),
  'block-unopened': rule('error', 'A closing delimiter has no opening one.', 'Remove it, or write the opening one.'),
  'block-attributes': rule(
    'error',
    'The attributes of a block are not valid JSON.',
    'Correct the JSON; editors treat the block as broken.',
  ),
  'block-delimiter': rule(
    'error',
    'A comment begins like a block but is not one.',
    'Write `<!-- name {"key":"value"} -->`, with the attributes in braces and nothing after them.',
  ),
  'broken-link': rule('warning', 'A link leads to a page of this site that does not exist.', 'Correct the address.'),
  'relative-link': rule(
    'warning',
    'A link or image is relative to the file and names nothing that the site serves.',
    'Correct it as the hint says; files to be shown belong beside a text or into `media/`.',
  ),
  'wiki-link': rule(
    'warning',
    'A wiki link names no item or picture; readers see the brackets.',
    'Write the name of a file, without its extension, or take the brackets out.',
  ),
  footnote: rule(
    'warning',
    'A footnote is named and not written, or written and not named.',
    'Write `[^name]` in the text and `[^name]: …` on a line of its own.',
  ),
  'markdown-form': rule(
    'warning',
    'A text uses a form of Markdown that is not read here: readers see its signs.',
    'Write it as the hint says; put signs that are meant as text into backticks, or behind a backslash.',
  ),
  'unpublished-link': rule(
    'warning',
    'A published text links to something that readers cannot see.',
    'Publish it, or remove the link.',
  ),
  'former-address': rule(
    'note',
    'A link leads to a former address of a page.',
    'Readers are redirected; the present address saves them the redirect.',
    'writes the present address',
  ),
  'lost-address': rule(
    'warning',
    'An address that the last commit had leads nowhere now: no item, alias or redirect answers it.',
    'Write it into `aliases` of the item, or into `redirects.yaml`.',
  ),
  'taken-alias': rule(
    'warning',
    'A former address of one item has no effect: another item has it, now or as an alias as well, or `redirects.yaml` sends it elsewhere.',
    'Remove the alias, or what stands in its way.',
  ),
  'redirect-form': rule(
    'error',
    'An entry of `redirects.yaml` cannot be followed.',
    'Write `/old/: /new/`, or a map with `to` and `status`; targets are paths of the site or addresses with `https://`.',
  ),
  'redirect-duplicate': rule('error', 'An address is redirected twice: the first entry counts.', 'Remove one of them.'),
  'redirect-loop': rule('error', 'A redirect leads back to itself, and is not followed.', 'Point it at the intended page.'),
  'redirect-chain': rule(
    'warning',
    'A redirect leads to an address that is itself redirected.',
    'Write its final target: readers are redirected once instead of twice.',
  ),
  'redirect-target': rule(
    'warning',
    'A redirect leads to a page that readers cannot see.',
    'Correct the target, or publish the page.',
  ),
  'redirect-shadowed': rule(
    'warning',
    'A page has the address that is redirected, and is shown.',
    'Remove the redirect, or rename the page.',
  ),
  'missing-upload': rule(
    'error',
    'A text shows or links to a file that is not there.',
    'Correct the path, or put the file there.',
  ),

  'active-content': rule(
    'warning',
    'A text contains something that runs in readers’ browsers: a script, an event handler, a script URL.',
    'Remove it if you do not know why it is there; if authors of files are not trusted with it, the operator sets `CMS_FILTER_CONTENT`.',
  ),

  'no-original': rule(
    'error',
    'A sidecar describes a file that is not there.',
    'Put the file beside it, or remove the sidecar.',
    'renames the sidecar if its file differs from it only in case',
  ),
  'not-fetched': rule(
    'note',
    'A file has not been fetched yet; its sidecar says from where.',
    'Fetch it with `cms media fetch`.',
  ),
  'lfs-pointer': rule(
    'warning',
    'A file is in git LFS, and only its pointer is here.',
    'Run `git lfs pull`, on the machine that serves the site too.',
  ),
  'wrong-bytes': rule('error', 'The content of a file does not match its extension.', 'Rename it, or put the right file there.'),
  'not-served': rule('warning', 'A file below `media/` is of a kind that is not served.', 'Move it elsewhere, or convert it.'),
  'unused-media': rule('note', 'No text, picture of a post or setting refers to a file.', 'Remove it if it is not needed.'),

  'orphan-comment': rule('warning', 'A comment is on an item that does not exist.', 'Remove its folder, or restore the item.'),
  'unknown-comment': rule('error', 'A comment replies to one that does not exist.', 'Correct `parent`, or remove it.'),

  'menu-item': rule(
    'error',
    'A menu item points at nothing, or at several things.',
    'Give it one of the keys that docs/content.md lists, or `url`.',
  ),
  'unknown-location': rule(
    'warning',
    'A menu is assigned to a location that the site does not have.',
    'Correct it, or add it to `menu_locations` of `site.yaml`.',
  ),
  'unshown-location': rule(
    'warning',
    'The theme does not show the menu location that a menu is assigned to.',
    'Assign the menu to a location that the theme shows, or show it: `menus.NAME` in a template of `theme/`.',
  ),
  'taken-location': rule(
    'warning',
    'Two menus are assigned to one location: the first file has it.',
    'Remove it from one of them.',
  ),

  'styles-json': rule('error', 'Global styles are not valid JSON, so they have no effect.', 'Correct the JSON.'),
  'font-family': rule(
    'warning',
    'The face of a font belongs to a family that has no file.',
    'Write `fonts/<family>.yaml`, or rename the folder.',
  ),
  template: rule(
    'error',
    'A template of `theme/` cannot be read: its last good state, or that of the default theme, is in service.',
    'Correct it where the message says.',
  ),
  widget: rule('error', 'A widget of a sidebar cannot be read, or has the id of another.', 'Give it an id such as `text-2`.'),
} as const satisfies Readonly<Record<string, Rule>>);

export type RuleName = keyof typeof rules;

/** The name of the rule behind that of a finding: `field:date` is a case of `field`. Undefined: none is declared. */
export function ruleOf(name: string): RuleName | undefined {
  const base = name.replace(/:.*$/s, '');
  return Object.hasOwn(rules, base) ? (base as RuleName) : undefined;
}
