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
    'Keep one side and remove the marker lines; `conflict_markers: true` says that they are text.',
  ),
  'yaml-syntax': rule('error', 'The YAML cannot be read.', 'Correct the line; text with `: ` or ` #` in it needs quotes.'),
  'yaml-not-a-map': rule('error', 'The YAML has no keys.', 'Write `key: value` lines.'),
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
    'Correct it where the message says, such as a comma after the last member.',
  ),
  'front-matter-unclosed': rule('error', 'The front matter has no end.', 'End it with a line of exactly `---`.'),
  'front-matter-fence': rule(
    'error',
    'A line in the front matter starts with `---` but has more characters.',
    'End the front matter with a line of exactly `---`.',
  ),
  'front-matter-language': rule(
    'error',
    'The front matter is in an unsupported language.',
    'Write YAML between `---`, TOML between `+++`, or a JSON object.',
  ),
  'front-matter-start': rule(
    'error',
    'The front matter does not begin on the first line with exactly `---`.',
    'Remove everything before and after the dashes.',
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
    'Operator settings are in the git work tree of the content, so they have no effect.',
    'Name it with --config or CMS_CONFIG, or move it out of the repository.',
  ),
  'plugin-in-repository': rule(
    'error',
    'A plugin is only allowed by a file that git could bring, so it is not run.',
    'Allow plugins with CMS_PLUGINS=1, or in a file named with --config.',
  ),
  'half-written': rule(
    'warning',
    'A process ended in the middle of a write: some of its files are new, the others old.',
    'Make the folder writable: any command that opens it finishes the write.',
  ),
  'folder-unreadable': rule('error', 'The content folder cannot be listed.', 'Check its owner and mode.'),
  'not-read-link': rule('warning', 'A symbolic link is not followed.', 'Put the file itself there.'),
  'not-read-special': rule('warning', 'Neither a file nor a folder.', 'Move it out of the content folder.'),
  'not-read-name': rule('warning', 'The file name is ambiguous.', 'Use valid UTF-8, no control characters and no backslashes.'),
  'not-read-depth': rule('warning', 'Folders are nested too deeply.', 'Move the files up.'),
  'not-read-private': rule(
    'error',
    'A private file was not created on this machine, or was changed elsewhere: it has no effect.',
    'If it is yours, adopt it with `cms adopt`; otherwise delete it.',
  ),
  'not-read-tracked': rule(
    'error',
    'Part of `.cms` is tracked by git: accounts, keys and caches must not be part of the content.',
    'Run `git rm -r --cached .cms` and commit.',
  ),
  'not-read-repository': rule(
    'error',
    'A folder inside the content looks like a git repository, whose settings could make git run commands.',
    'Move it out of the content folder; run no git command in it.',
  ),
  'not-content': rule('warning', 'A file is in a folder that is not read, or its type is not read there.', 'Move or rename it.'),
  plugin: rule(
    'warning',
    'A plugin has no effect, because the operator does not allow plugins.',
    'Set `CMS_PLUGINS` (docs/modules.md), or delete the file.',
  ),
  'name-collision': rule(
    'warning',
    'Two names differ only in case: on macOS and Windows they are one file.',
    'Rename one of them.',
  ),
  'reserved-name': rule('warning', 'Windows does not allow this file name.', 'Rename it.'),

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
  'no-repository': rule(
    'warning',
    '`git: commit` or `git: push` is set, but the folder is not in a git repository.',
    'Run `git init` in the folder, or write `git: off`.',
  ),
  declaration: rule(
    'error',
    'A type or taxonomy declared in `site.yaml` is invalid.',
    'The message says why; until it is fixed, the declaration is ignored.',
  ),
  'future-date': rule(
    'warning',
    'Published, but dated in the future: it is scheduled until then.',
    'Write `status: future` if that is intended, otherwise correct the date.',
  ),
  'undated-schedule': statusRules['undated-schedule'],
  'other-date': rule(
    'error',
    'A key of other generators that publishes or unpublishes items has no effect.',
    'Only `date` schedules an item; to unpublish one, write `status: draft`.',
  ),
  unlisted: statusRules.unlisted,
  'no-page': statusRules['no-page'],
  'modified-before-date': rule('warning', 'Last changed before it was published.', 'Check which of the two dates is wrong.'),
  'plain-password': rule(
    'note',
    'A password is in a file that everyone with the repository can read.',
    'Use `status: private` for what must not be read.',
  ),
  'empty-body': rule('note', 'A published item has no text.', 'Write one, or make it a draft.'),

  'missing-id': rule(
    'note',
    'The file, or a menu item, has no id yet.',
    'No action needed: the server writes one when it first sees the file.',
    'writes the next free id',
  ),
  'invalid-id': rule('error', 'An id is not a whole number from 1 to 2147483647.', 'Remove the line.', 'writes the next free id'),
  'duplicate-id': rule(
    'error',
    'Two files, comments or menu items have the same id.',
    'No action needed: the one that had it first keeps it, and the server gives the other a new id.',
    'gives the other one the next free id',
  ),
  'slug-form': rule('error', 'A slug is not valid in a URL.', 'Write it as the hint says.'),
  'slug-empty': rule('warning', 'A slug is empty.', 'Write one, or remove the key.'),
  'duplicate-slug': rule('error', 'Two items have the same URL.', 'Rename one of the files, or give one another `slug`.'),

  'site-address': rule(
    'error',
    'The server uses the URL of an item itself (`feed`, `uploads`, `cms-json`, `wp-json`).',
    'Rename the file, or write another `slug`.',
  ),

  'unknown-reference': rule('error', 'A file refers to something that does not exist.', 'Correct the name, or create the file.'),
  'unknown-name': rule(
    'warning',
    'A term or author that has no file looks like a misspelling of one that has.',
    'Correct it; if it is intended, create its file.',
  ),
  'new-name': rule(
    'note',
    'A term or author has no file yet; it is created when the site is served.',
    'No action needed; create its file to describe it.',
  ),
  'former-slug': rule('note', 'A file refers to something by a former slug.', 'It still works.', 'writes the current slug'),
  'unknown-parent': rule(
    'warning',
    'A page is in a folder without a page, so it is at the top level.',
    'Create the page of the folder, or move the file up.',
  ),
  'parent-loop': rule('error', 'An item is its own ancestor.', 'Remove one parent from the loop.'),

  'block-unclosed': rule('error', 'A block is never closed.', 'Write its closing delimiter, or end the opening one with `/-->`.'),
  'block-unopened': rule('error', 'A closing delimiter has no opening one.', 'Remove it, or write the opening one.'),
  'block-attributes': rule(
    'error',
    'The attributes of a block are not valid JSON.',
    'Correct the JSON; editors treat the block as broken.',
  ),
  'block-delimiter': rule('error', 'A comment begins like a block but is not one.', 'Write `<!-- name {"key":"value"} -->`.'),
  'broken-link': rule('warning', 'A link points to a page of this site that does not exist.', 'Correct the URL.'),
  'relative-link': rule(
    'warning',
    'A relative link or image points to nothing that the site serves.',
    'Correct it as the hint says; put files next to a text or into `media/`.',
  ),
  'wiki-link': rule(
    'warning',
    'A wiki link matches no item or image; readers see the brackets.',
    'Write the name of a file, without its extension, or remove the brackets.',
  ),
  footnote: rule(
    'warning',
    'A footnote has no text, or no reference.',
    'Write `[^name]` in the text and `[^name]: …` on a line of its own.',
  ),
  'markdown-form': rule(
    'warning',
    'A text uses Markdown of other programs: readers see its characters.',
    'Write it as the hint says, or escape characters that are meant as text.',
  ),
  'unpublished-link': rule(
    'warning',
    'A published text links to something that readers cannot see.',
    'Publish it, or remove the link.',
  ),
  'former-address': rule('note', 'A link points to a former URL of a page.', 'Readers are redirected.', 'writes the current URL'),
  'lost-address': rule(
    'warning',
    'A URL of the last commit is broken now: it has no item, alias or redirect.',
    'Add it to `aliases` of the item, or to `redirects.yaml`.',
  ),
  'taken-alias': rule(
    'warning',
    'An alias has no effect: another item or `redirects.yaml` has the URL.',
    'Remove the alias, or what conflicts with it.',
  ),
  'redirect-form': rule(
    'error',
    'An entry of `redirects.yaml` cannot be followed.',
    'Write `/old/: /new/`, or a map with `to` and `status`; targets are paths of the site or URLs with `https://`.',
  ),
  'redirect-duplicate': rule('error', 'A URL is redirected twice: the first entry is used.', 'Remove one of them.'),
  'redirect-loop': rule('error', 'A redirect points back to itself, and is not followed.', 'Point it at the intended page.'),
  'redirect-chain': rule(
    'warning',
    'A redirect points to a URL that is itself redirected.',
    'Write its final target: readers are redirected once instead of twice.',
  ),
  'redirect-target': rule(
    'warning',
    'A redirect points to a page that readers cannot see.',
    'Correct the target, or publish the page.',
  ),
  'redirect-shadowed': rule(
    'warning',
    'A page has the redirected URL, and is shown instead.',
    'Remove the redirect, or rename the page.',
  ),
  'missing-upload': rule(
    'error',
    'A text shows or links to a file that does not exist.',
    'Correct the path, or put the file there.',
  ),

  'active-content': rule(
    'warning',
    'A text contains something that runs in readers’ browsers: a script, an event handler, a script URL.',
    'Remove it if you do not know it; if authors are not trusted with scripts, the operator sets `CMS_FILTER_CONTENT`.',
  ),

  'no-original': rule(
    'error',
    'A sidecar describes a file that does not exist.',
    'Put the file next to it, or remove the sidecar.',
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
  'not-served': rule('warning', 'A file below `media/` has a type that is not served.', 'Move it elsewhere, or convert it.'),
  'not-a-picture': rule(
    'warning',
    'The featured image of an item is not an image: pages show none.',
    'Name an image; link other files in the text.',
  ),
  'unused-media': rule('note', 'No text, featured image or setting refers to a file.', 'Remove it if it is not needed.'),

  'orphan-comment': rule('warning', 'A comment is on an item that does not exist.', 'Remove its folder, or restore the item.'),
  'unknown-comment': rule('error', 'A comment replies to one that does not exist.', 'Correct `parent`, or remove it.'),

  'menu-item': rule(
    'error',
    'A menu item has no target, or several.',
    'Give it one of the keys that docs/content.md lists, or `url`.',
  ),
  'unknown-location': rule(
    'warning',
    'A menu has an unknown location.',
    'Correct it, or add it to `menu_locations` of `site.yaml`.',
  ),
  'unshown-location': rule(
    'warning',
    'The theme does not show the location of a menu.',
    'Use a location that the theme shows, or show it: `menus.NAME` in a template of `theme/`.',
  ),
  'taken-location': rule(
    'warning',
    'Two menus are assigned to one location: the first file has it.',
    'Remove it from one of them.',
  ),

  'styles-json': rule('error', 'Global styles are not valid JSON, so they have no effect.', 'Correct the JSON.'),
  'font-family': rule(
    'warning',
    'A font face belongs to a family without a file.',
    'Create `fonts/<family>.yaml`, or rename the folder.',
  ),
  template: rule(
    'error',
    'A template of `theme/` is invalid: its last good version, or that of the default theme, is used.',
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
