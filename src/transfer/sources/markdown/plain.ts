/**
 * A folder of Markdown files without a generator: notes, a hand-made site, a content folder of our own. Files below `posts` or
 * with a date are posts, the others pages; folders of posts are categories. `[[Links]]` between notes are followed.
 */
import { datedName } from '../../../kernel/model/dated-paths.ts';
import { withoutTrailing } from '../../../kernel/model/text-ends.ts';
import type { SourceItem, PostItem } from '../../import/items.ts';
import type { Data } from './front-matter.ts';
import { slugify } from '../../../kernel/model/slugs.ts';
import { readZone } from './dates.ts';
import type { GeneratorFolder } from './folder.ts';
import {
  type SiteGenerator,
  htmlExtension,
  isMedia,
  isRepositoryFile,
  type LocatedSource,
  pageExtension,
  placeOfPage,
  type GeneratorPlan,
  postFolders,
  readDataFile,
  type FolderRole,
  settingsOf,
} from './site-generator.ts';
import { folderOf, nameOf } from './folder.ts';
import {
  cmsDeclarations,
  cmsExtraSettings,
  cmsRemoteMedia,
  cmsItems,
  cmsLink,
  cmsNames,
  cmsSettings,
  cmsDataFiles,
  cmsSidecars,
  cmsTaxonomyKeys,
  cmsTypeFolders,
  cmsUsualPath,
  withSidecar,
} from './cms-folder.ts';
import { foldKey } from '../../../modules/content/front-matter/names.ts';
import { tagValuesKey } from '../../../modules/content/front-matter/record.ts';
import { byComma, byCommaOrSpace, createReader, textOf } from './keys.ts';

export const plain: SiteGenerator = {
  name: 'plain',
  matches: ({ paths }) => paths.some((path) => pageExtension.test(path)),
  read,
};

async function read(folder: GeneratorFolder): Promise<GeneratorPlan> {
  const isCmsFolder = folder.has('site.yaml');
  const site = await readDataFile(folder, folder.first('site.yaml'));
  const zone = readZone(site.timezone);
  const folders = new Set(folder.paths.map(folderOf));
  const sidecars = isCmsFolder ? await cmsSidecars(folder) : new Map<string, Data>();
  const sheets = isCmsFolder ? await cmsDataFiles(folder) : new Map<string, Data>();
  const customTypes = isCmsFolder ? cmsTypeFolders(site) : new Map<string, string>();
  const place = isCmsFolder ? cmsUsualPath(site) : (path: string) => ({ usual: path, isDraft: false });
  const complete = (item: PostItem): PostItem => withSidecar(item, sidecars.get(item.key) ?? {}, folder, zone);

  async function* items(): AsyncGenerator<SourceItem> {
    yield* cmsItems(folder, sheets);
    for (const item of cmsRemoteMedia(folder, sidecars)) yield complete(item);
  }

  function role(path: string): FolderRole {
    if (isCmsFolder && /^(?:site\.yaml$|(?:terms|users|menus)\/|media\/.*\.ya?ml$)/.test(path)) return { kind: 'data' };
    if (isCmsFolder && /^(?:comments|revisions)\//.test(path)) return { kind: 'theme' };
    if (isCmsFolder && path.startsWith('media/'))
      return isMedia(path) ? { kind: 'file', url: `/uploads/${path.slice('media/'.length)}` } : { kind: 'theme' };
    const isPage = pageExtension.test(path) || htmlExtension.test(path);
    if (!isPage) return isMedia(path) ? { kind: 'file', url: `/${path}` } : { kind: 'theme' };
    if (isRepositoryFile(path) && !/^readme/i.test(path)) return { kind: 'theme' };
    const { usual, isDraft } = place(path);
    const status = isDraft ? { status: 'draft' } : {};
    const steps = usual.split('/');
    const type = customTypes.get(steps[0] as string);
    if (type !== undefined && steps.length > 1) return { kind: 'page', type, slug: slugify(nameOf(path)), place: '', ...status };
    const first = steps.length > 1 ? (steps[0] as string).toLowerCase() : '';
    const dated = datedName(nameOf(path));
    const date = dated ? { date: dated.date } : {};
    if (postFolders.has(first)) {
      const inner = steps.slice(1, -1).filter((step) => !/^\d{1,4}$/.test(step));
      return {
        kind: 'page',
        type: 'post',
        slug: slugify(
          dated?.rest ||
            (placeOfPage(usual, /^index$/i)
              .place.split('/')
              .at(-1) as string),
        ),
        place: '',
        categories: isCmsFolder ? [] : inner,
        ...date,
        ...status,
      };
    }
    const { place: inTree, slug } = placeOfPage(first === 'pages' || first === '_pages' ? steps.slice(1).join('/') : usual);
    const isSurelyPage =
      first === 'pages' ||
      /^(?:_?index|readme)$/i.test(nameOf(path)) ||
      folders.has(path.replace(/\.[^.]+$/, '')) ||
      htmlExtension.test(path);
    return {
      kind: 'page',
      type: isSurelyPage ? 'page' : 'auto',
      place: inTree,
      slug: dated?.rest ? slugify(dated.rest) : slug,
      ...date,
    };
  }

  return {
    settings: settingsOf(cmsSettings(folder, site)),
    ...(isCmsFolder ? { extra: cmsExtraSettings(site) } : {}),
    address: withoutTrailing(textOf(site.url), '/'),
    base: '',
    zone,
    declarations: isCmsFolder ? cmsDeclarations(site) : [],
    ...(isCmsFolder ? { taxonomies: cmsTaxonomyKeys(site) } : {}),
    menus: [],
    remarks: [],
    templates: 'wiki',
    role,
    defaults: () => ({}),
    typeOf: (data, page) => {
      const reader = createReader(data);
      return page.date !== undefined || reader.take('date') || reader.take('tags') || reader.take('categories') ? 'post' : 'page';
    },
    link: (page: LocatedSource) => {
      if (isCmsFolder) return cmsLink(site, page);
      const { path } = page;
      return `/${path.replace(/\.[^.]+$/, '').replace(/(?:^|\/)(?:_?index|readme)$/i, '')}`;
    },
    // In a folder of our own a text is read as the server reads it.
    split: (text, key) =>
      (isCmsFolder && site[tagValuesKey] !== 'words') || !/^(?:tags|categories)$/.test(foldKey(key))
        ? byComma(text)
        : byCommaOrSpace(text),
    ...(isCmsFolder
      ? { items, complete, named: cmsNames(sheets, site[tagValuesKey] === undefined || site[tagValuesKey] === 'ids') }
      : {}),
  };
}
