/** A site whose pages have every kind of head. */
import { picture } from '../../../support/media.ts';
import { dedent } from '../../../support/dedent.ts';
import { startSite, type TestSite } from '../../../support/site.ts';

export const base = 'https://harbour.example';

/** Addresses of all its kinds of pages, and of some that are none to visitors. */
export const addresses: readonly string[] = `
  / /plain/ /full/ /changed/ /own/ /picture/ /elsewhere/ /medium/ /hidden/ /strict/ /canonical/
  /canonical-path/ /canonical-bad/ /report/ /news/ /none/ /long/ /words/ /parts/ /locked/ /private/
  /draft/ /later/ /by-bo/ /quotes/ /closed/ /markdown/ /empty/ /de/hallo/ /de/ /dock/ /dock/berth/
  /dock/berth/cleat/ /attic/box/ /boat/ada/ /category/harbour/ /category/harbour/ships/
  /category/secret/ /tag/tide/ /author/ada/ /author/idle/ /2026/03/ /2026/13/ /no-such-thing/ /quay/
  /escaped/ /none-at-all/
`
  .trim()
  .split(/\s+/);

const settings = dedent`
  name: Harbour Notes
  description: Words by the sea
  url: https://harbour.example
  timezone: UTC
  deployment: extended
  types:
    boat: { plural: Boats, singular: Boat, rest_base: boats }
  lang:
    default: en
    languages: { en: { locale: en_US }, de: { locale: de_DE } }
    url: { mode: directory, default_in_directory: false }
  seo:
    organization: { name: Harbour Press, logo: 2026/logo.png }
    profiles: { network_a: "https://network-a.example/harbour", network_b: harbour, others: ["https://video.example/c/harbour"] }
    verification: { google: g-123 }
    types:
      boat: { title: "%%title%%, %%pt_single%% %%sep%% %%sitename%%", noindex: true }
      page: { main_taxonomy: "" }
    taxonomies:
      post_tag: { noindex: true }
`;

const markup = (head: string, body = '<p>Boats leave early.</p>'): string => `---\n${dedent([head] as never)}\n---\n${body}\n`;
const when = 'date: 2026-03-01T08:00:00\nmodified: 2026-03-01T08:00:00\nauthor: ada\n';
const post = (head: string, body?: string): string => markup(`${when}${head}`, body);

export async function startHarbour(more: Readonly<Record<string, string>> = {}): Promise<TestSite> {
  const bytes = async (width: number, height: number): Promise<string> => (await picture(width, height)) as unknown as string;
  const site = await startSite({
    clock: () => Date.parse('2026-03-05T10:00:00Z'),
    files: {
      'site.yaml': `${settings}\n`,
      'media/2026/logo.png': await bytes(40, 30),
      'media/2026/quay.png': await bytes(640, 480),
      'media/2026/quay.png.yaml': 'caption: The quay\nalt: A quay\nauthor: ada\n',
      'users/ada.yaml': dedent`
        id: 20
        name: Ada Pier
        description: Writes about tides & boats.
        url: https://ada.example/
        seo: { network_a: "https://network-a.example/ada", network_b: adapier }
      `,
      'users/bo.yaml': 'id: 21\nname: Bo\n',
      'users/idle.yaml': 'id: 22\nname: Idle\n',
      'terms/category/harbour.yaml': 'name: Harbour\ndescription: "All of <b>Harbour</b>."\n',
      'terms/category/ships.yaml': 'name: Ships & boats\nparent: harbour\nseo: { breadcrumb: Ships }\n',
      'terms/category/secret.yaml': 'name: Secret\nseo: { noindex: true, title: "Nothing %%term_title%%" }\n',
      'terms/tag/tide.yaml': 'name: Tide\n',
      'posts/plain.html': post('title: Fog & foghorns\ncategories: [uncategorized]\n'),
      'posts/full.html': post(
        'title: Tide tables\nexcerpt: When the water turns.\ncategories: [ships, harbour]\ntags: [tide]\nfeatured_media: 2026/quay.png\n',
      ),
      'posts/changed.html': post('title: Changed\n').replace('modified: 2026-03-01', 'modified: 2026-03-02'),
      'posts/own.html': post(
        'title: Own\nseo: { title: "Own %%sep%% %%title%%", description: "Own  <i>words</i>", social_title: "OG %%title%%", card_title: Card, image: "https://cdn.example/a.png" }\n',
      ),
      'posts/picture.html': post('title: Picture\n', '<p><img src="/uploads/2026/quay.png" alt="x"> seen</p>'),
      'posts/elsewhere.html': post('title: Elsewhere\n', '<p><img src="https://pictures.example/a.jpg" alt=""></p>'),
      'posts/medium.html': post('title: Medium\nseo: { image: 2026/quay.png, card_image: 2026/quay.png }\n'),
      'posts/gallery.html': post('title: Gallery\n'),
      'posts/hidden.html': post('title: Hidden\nseo: { noindex: true, nofollow: true }\n'),
      'posts/strict.html': post('title: Strict\nseo: { noimageindex: true, noarchive: true, nosnippet: true }\n'),
      'posts/canonical.html': post('title: Canonical\nseo: { canonical: "https://other.example/x?y=1" }\n'),
      'posts/canonical-path.html': post('title: Canonical path\nseo: { canonical: /full/ }\n'),
      'posts/canonical-bad.html': post('title: Canonical bad\nseo: { canonical: "javascript:alert(1)" }\n'),
      'posts/escaped.html': post(
        `title: Escaped\nexcerpt: Tom & Jerry's "boat"\nseo: { canonical: "https://other.example/?a=1&b='2'", image: "https://cdn.example/?a=1&amp;b=2" }\n`,
      ),
      'posts/report.html': post('title: Report\nseo: { article_type: Report, page_type: FAQPage }\n'),
      'posts/news.html': post('title: News\nseo: { article_type: NewsArticle }\n'),
      'posts/none.html': post('title: None\nseo: { article_type: None }\n'),
      'posts/long.html': post('title: Long\nseo: { reading_minutes: 7 }\n'),
      'posts/words.html': post('title: Words\n', `<p>${'word '.repeat(500)}</p>`),
      'posts/parts.html': post('title: Parts\n', '<p>one</p>\n<!--nextpage-->\n<p>two</p>'),
      'posts/locked.html': post('title: Locked\npassword: rope\nfeatured_media: 2026/quay.png\n', '<p>secret-knot</p>'),
      'posts/private.html': post('title: Sealed\nstatus: private\n'),
      'posts/draft.html': post('title: Half done\nstatus: draft\n'),
      'posts/later.html': post('title: Later\n').replace('date: 2026-03-01', 'date: 2026-04-01'),
      'posts/by-bo.html': post('title: By Bo\n').replace('author: ada', 'author: bo'),
      'posts/quotes.html': post(`title: '"Quotes" <b>bold</b> </script><script>alert(1)</script>'\n`),
      'posts/closed.html': post('title: Closed\ncomments: closed\n'),
      'posts/markdown.md': post('title: Markdown\n', 'A **bold** word & [more](/x).\n\n![quay](/uploads/2026/quay.png)'),
      'posts/empty.html': post('title: Empty\nseo: { title: "%%searchphrase%%", description: "%%excerpt_only%%" }\n'),
      'posts/hallo.de.html': post('title: Hallo\nlang: de\ntranslation_of: plain\n'),
      'pages/dock.html': post('title: Dock\n'),
      'pages/dock/berth.html': post('title: Berth\nseo: { breadcrumb: "Moorings & more", page_type: AboutPage }\n'),
      'pages/dock/berth/cleat.html': post('title: Cleat\nseo: { title: "%%title%% %%sep%% %%parent_title%%" }\n'),
      'pages/attic.html': post('title: Attic\nstatus: private\n'),
      'pages/attic/box.html': post('title: Box\n'),
      'boats/ada.html': post('title: Ada\n'),
      ...more,
    },
  });
  return site;
}
