/**
 * A whole small site as an export has it: blocks, a gallery, nested pages, menus, drafts, scheduled, private and protected
 * posts, a trash, comments in every state, patterns, block menus, styles, a type of its own. Made by a program, so that it can be
 * of any size.
 */
import { wxrAuthor, wxrCategory, wxrComment, wxrFoot, wxrHead, type WxrItem, wxrItem, wxrTag, wxrTerm } from './wxr.ts';

const uploads = 'https://old.example/wp-content/uploads';

const blocks = (at: number): string => `<!-- wp:heading -->
<h2 class="wp-block-heading">Tide table ${at}</h2>
<!-- /wp:heading -->

<!-- wp:paragraph {"align":"center"} -->
<p class="has-text-align-center">The ferry — “Anna” — leaves at ${at % 24}:00. See <a href="https://old.example/about/team/">the crew</a> &amp; <a href="https://old.example/post-${(at % 7) + 1}/">more</a>.</p>
<!-- /wp:paragraph -->

<!-- wp:image {"id":41,"sizeSlug":"large","linkDestination":"media"} -->
<figure class="wp-block-image size-large"><a href="${uploads}/2026/03/harbour.png"><img src="${uploads}/2026/03/harbour-1024x768.png" alt="The harbour" class="wp-image-41"/></a><figcaption class="wp-element-caption">At dawn</figcaption></figure>
<!-- /wp:image -->

<!-- wp:gallery {"linkTo":"none"} -->
<figure class="wp-block-gallery has-nested-images columns-default is-cropped"><!-- wp:image {"id":42} -->
<figure class="wp-block-image"><img src="${uploads}/2026/03/boat.png" alt="" class="wp-image-42"/></figure>
<!-- /wp:image --></figure>
<!-- /wp:gallery -->

<!-- wp:block {"ref":70} /-->`;

const classic = (at: number): string => `Number ${at}, written long ago.

A second paragraph with [caption id="attachment_41" align="alignnone" width="300"]<img class="size-medium wp-image-41" src="${uploads}/2026/03/harbour-300x225.png" alt="" width="300" height="225" /> At dawn[/caption] and <strong>strong</strong> words]]> and a stray mark.

<!--more-->

[gallery ids="41,42"]`;

const menuLink = (id: number, order: number, rows: readonly (readonly [string, string])[], title = '', parent = 0): string =>
  wxrItem({
    id,
    type: 'nav_menu_item',
    title,
    slug: String(id),
    order,
    terms: [['nav_menu', 'main', 'Main']],
    meta: [
      ['_menu_item_menu_item_parent', String(parent)],
      ['_menu_item_target', ''],
      ['_menu_item_classes', 'a:1:{i:0;s:0:"";}'],
      ['_menu_item_xfn', ''],
      ...rows,
    ],
  });

const toPage = (page: number): readonly (readonly [string, string])[] => [
  ['_menu_item_type', 'post_type'],
  ['_menu_item_object', 'page'],
  ['_menu_item_object_id', String(page)],
  ['_menu_item_url', ''],
];

const picture = (id: number, name: string, more: Partial<WxrItem> = {}): string =>
  wxrItem({
    id,
    type: 'attachment',
    title: name,
    slug: name,
    status: 'inherit',
    pings: 'closed',
    excerpt: 'A caption',
    content: 'A description',
    link: `https://old.example/${name}/`,
    guid: `${uploads}/2026/03/${name}.png`,
    attachmentUrl: `${uploads}/2026/03/${name}.png`,
    meta: [
      ['_wp_attached_file', `2026/03/${name}.png`],
      ['_wp_attachment_image_alt', 'Water'],
      ['_wp_attachment_metadata', 'a:2:{s:5:"width";i:1;s:6:"height";i:1;}'],
    ],
    ...more,
  });

/** @param posts  published posts, besides one of everything else */
export function* wxrSite(posts = 12): Generator<string> {
  yield wxrHead({ title: 'Harbour & Sea', description: 'Notes from the quay', language: 'de-DE' });
  yield wxrAuthor(1, 'anna', { display_name: 'Anna Berg', first_name: 'Anna', last_name: 'Berg' });
  yield wxrAuthor(2, 'Ole.K', { display_name: 'Ole', email: 'ole@old.example' });
  yield wxrCategory({ id: 1, slug: 'allgemein', name: 'Allgemein' });
  yield wxrCategory({ id: 2, slug: 'notes', name: 'Notes & more', description: 'Short <b>ones</b>' });
  yield wxrCategory({ id: 3, slug: 'tides', name: 'Tides', parent: 'notes', meta: [['colour', 'blue']] });
  yield wxrTag({ id: 4, slug: 'ferry', name: 'Ferry' });
  yield wxrTag({ id: 5, slug: '%e6%b8%af', name: '港' });
  yield wxrTerm('genre', { id: 6, slug: 'novel', name: 'Novel' });
  yield wxrTerm('nav_menu', { id: 7, slug: 'main', name: 'Main' });
  for (let at = 1; at <= posts; at++) {
    const day = String(1 + (at % 28)).padStart(2, '0');
    yield wxrItem({
      id: 100 + at,
      title: at === 3 ? '1984' : `Post ${at} & “others”`,
      slug: at === 3 ? '1984' : `post-${at}`,
      date: `2026-0${1 + (at % 3)}-${day} 11:00:00`,
      dateGmt: `2026-0${1 + (at % 3)}-${day} 10:00:00`,
      content: at % 3 === 0 ? classic(at) : blocks(at),
      excerpt: at % 4 === 0 ? 'In short.' : '',
      creator: at % 2 === 0 ? 'anna' : 'Ole.K',
      sticky: at === 2,
      password: at === 4 ? 'sesame' : '',
      terms: [
        ['category', at % 2 === 0 ? 'notes' : 'tides'],
        ['post_tag', at % 2 === 0 ? 'ferry' : '%e6%b8%af'],
        ...(at === 5 ? ([['post_format', 'post-format-aside', 'Aside']] as const) : []),
      ],
      meta: [
        ['_edit_last', '1'],
        ['_thumbnail_id', '41'],
        ['rating', String(at)],
        ['options', 'a:2:{s:3:"one";i:1;s:4:"list";a:1:{i:0;s:1:"x";}}'],
        ...(at === 6 ? ([['_wp_old_slug', 'former-six']] as const) : []),
      ],
      after:
        at === 1
          ? [
              wxrComment({ id: 1, author: 'Bob' }),
              wxrComment({ id: 2, author: 'Anna Berg', user: 1, parent: 1, content: 'Thanks.' }),
              wxrComment({ id: 3, author: 'X', approved: 'spam', meta: [['_wp_trash_meta_status', '0']] }),
              wxrComment({ id: 4, author: 'Y', approved: 'trash', meta: [['_wp_trash_meta_status', '1']] }),
              wxrComment({ id: 5, author: 'Z', approved: '0' }),
              wxrComment({ id: 6, author: 'Elsewhere', type: 'pingback', content: '[…] said […]' }),
            ].join('')
          : '',
    });
  }
  yield wxrItem({ id: 20, type: 'page', title: 'About', slug: 'about', content: blocks(1), comments: 'closed', pings: 'closed' });
  yield wxrItem({
    id: 21,
    type: 'page',
    title: 'Team',
    slug: 'team',
    parent: 20,
    order: 2,
    link: 'https://old.example/about/team/',
    content: classic(2),
    comments: 'closed',
    pings: 'closed',
    meta: [['_wp_page_template', 'wide.php']],
  });
  yield wxrItem({
    id: 22,
    type: 'page',
    title: 'Deep',
    slug: 'deep',
    parent: 21,
    link: 'https://old.example/about/team/deep/',
    comments: 'closed',
    pings: 'closed',
  });
  yield wxrItem({ id: 30, title: 'Not yet', slug: '', status: 'draft', dateGmt: '0000-00-00 00:00:00' });
  yield wxrItem({
    id: 31,
    title: 'Later',
    slug: 'later',
    status: 'future',
    date: '2099-01-01 09:00:00',
    dateGmt: '2099-01-01 08:00:00',
  });
  yield wxrItem({ id: 32, title: 'Ours', slug: 'ours', status: 'private' });
  yield wxrItem({ id: 33, title: 'Wait', slug: 'wait', status: 'pending' });
  yield wxrItem({
    id: 34,
    title: 'Thrown',
    slug: 'thrown__trashed',
    status: 'trash',
    meta: [
      ['_wp_trash_meta_status', 'publish'],
      ['_wp_trash_meta_time', '1700000000'],
      ['_wp_desired_post_slug', 'thrown'],
    ],
  });
  yield picture(41, 'harbour', { parent: 101 });
  yield picture(42, 'boat');
  yield wxrItem({
    id: 50,
    type: 'book',
    title: 'The Sea',
    slug: 'the-sea',
    link: 'https://old.example/book/the-sea/',
    terms: [['genre', 'novel', 'Novel']],
    order: 1,
  });
  yield menuLink(60, 1, toPage(20));
  yield menuLink(61, 2, toPage(21), '', 60);
  yield menuLink(
    62,
    3,
    [
      ['_menu_item_type', 'custom'],
      ['_menu_item_object', 'custom'],
      ['_menu_item_object_id', '62'],
      ['_menu_item_url', 'https://old.example/post-1/'],
    ],
    'Start here',
  );
  yield menuLink(
    63,
    4,
    [
      ['_menu_item_type', 'taxonomy'],
      ['_menu_item_object', 'category'],
      ['_menu_item_object_id', '2'],
      ['_menu_item_url', ''],
    ],
    '',
  );
  yield wxrItem({
    id: 70,
    type: 'wp_block',
    title: 'Call',
    slug: 'call',
    content: '<!-- wp:paragraph -->\n<p>Call us.</p>\n<!-- /wp:paragraph -->',
  });
  yield wxrItem({
    id: 71,
    type: 'wp_navigation',
    title: 'Nav',
    slug: 'nav',
    content: '<!-- wp:navigation-link {"label":"About","type":"page","id":20,"url":"https://old.example/about/"} /-->',
  });
  yield wxrItem({
    id: 72,
    type: 'wp_global_styles',
    title: 'Custom Styles',
    slug: 'wp-global-styles-twentytwentyfive',
    content: '{"version":3,"isGlobalStylesUserThemeJSON":true,"styles":{"color":{"background":"#fefefe"}},"settings":{}}',
    terms: [['wp_theme', 'twentytwentyfive']],
  });
  yield wxrItem({ id: 73, type: 'shop_order', title: 'Order', slug: 'order-73', status: 'wc-completed' });
  yield wxrFoot;
}
