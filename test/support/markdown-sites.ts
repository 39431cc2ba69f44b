/**
 * Sites of Markdown files in the shapes in which their generators' users write them, of any size.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export type Files = Readonly<Record<string, string | Uint8Array>>;

/** The smallest picture. */
export const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

export async function writeFiles(dir: string, files: Files): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), content);
  }
}

const words = 'light harbour basin ferry rope tide market bread morning fog signal keeper stair lamp island window'.split(' ');
const word = (at: number): string => words[at % words.length] as string;

/** About `length` characters of paragraphs, a link and a picture among them. */
export function prose(at: number, length: number, link: string, image: string): string {
  const out = [`See [the ${word(at)}](${link}) and ![${word(at + 1)}](${image}).`];
  for (let i = 0; out.join('\n\n').length < length; i++)
    out.push(
      Array.from({ length: 30 }, (_, k) => word(at * 7 + i * 3 + k * 5)).join(' ') +
        (i % 3 === 0 ? '.\n\n## A heading' : ', with *emphasis* and `code`.'),
    );
  return `${out.join('\n\n')}\n`;
}

const day = (at: number): string => new Date(Date.UTC(2015, 0, 1) + at * 43_200_000).toISOString().slice(0, 10);

/** Jekyll with `count` posts of 3 KB besides its fixed files. */
export function jekyllSite(count = 0): Files {
  return {
    '_config.yml': `title: Harbour notes
description: From the quay
url: https://harbour.example
baseurl: /notes
timezone: Europe/Berlin
lang: de
permalink: /:year/:month/:title/
author: anna
paginate: 7
excerpt_separator: "<!--lead-->"
collections:
  recipes:
    output: true
defaults:
  - scope: { path: "", type: posts }
    values: { layout: post, comments: false }
`,
    '_data/authors.yml': 'anna:\n  name: Anna Berg\n  email: anna@harbour.example\n  bio: Walks a lot.\njonas:\n  name: Jonas\n',
    '_data/navigation.yml':
      'main:\n  - title: About\n    url: /about/\n    children:\n      - title: Team\n        url: /about/team.html\n  - title: Elsewhere\n    url: https://example.com/\n',
    '_layouts/post.html': '<html>{{ content }}</html>',
    '_includes/nav.html': '<nav></nav>',
    'assets/css/site.css': 'body {}',
    'assets/img/Cat photo.png': pixel,
    Gemfile: 'gem "jekyll"',
    '_posts/2026-03-05-hello-harbour.md': `---
layout: post
title: "Hello: harbour"
date: 2026-03-05 10:00:00 +0200
last_modified_at: 2026-03-06
categories: notes harbour
tags: [morning, "low tide"]
image: /assets/img/Cat photo.png
redirect_from:
  - /old/hello/
mood: calm
---
The lead.

<!--lead-->

See [the other]({% post_url 2026-03-07-second %}), [it]({{ site.baseurl }}/2026/03/second/) and [about]({{ '/about/' | relative_url }}).

![cat]({{ site.baseurl }}/assets/img/Cat%20photo.png "A cat") <img src="/notes/assets/img/Cat photo.png">

{% highlight ruby %}
puts "{{ x }}"
{% endhighlight %}

{% include gallery.html %}

\`[not](/about/)\`
`,
    '_posts/2026-03-07-second.markdown':
      '---\ntitle: Second\nauthor: jonas\npublished: false\ncategory: Long walks\n---\n[back](https://www.harbour.example/notes/2026/03/hello-harbour/#x)\n',
    'harbour/_posts/2026-03-08-third.md': '---\n---\n# Third of them\n\nText.\n',
    '_drafts/idea.md': '---\ntitle: Idea\n---\nLater.\n',
    '_recipes/soup.md': '---\ntitle: Soup\ntags: fish\n---\nCook.\n',
    '_pages/about.md': '---\ntitle: About\npermalink: /about/\nlayout: wide\n---\nWe are [a team](/about/team.html).\n',
    'about/team.md': '---\ntitle: Team\n---\nUs.\n',
    'index.html': '---\nlayout: default\n---\n{% for post in site.posts %}x{% endfor %}\n',
    ...posts(count, (at) => [
      `_posts/${day(at)}-post-${at}.md`,
      `---\nlayout: post\ntitle: "Post number ${at}"\ndate: ${day(at)} 10:00:00 +0100\ncategories: [${word(at)}]\ntags: [${word(at + 3)}, ${word(at + 5)}]\n---\n`,
      '/notes/2026/03/second/',
      '/notes/assets/img/Cat%20photo.png',
    ]),
  };
}

/** Hugo, with YAML, TOML and JSON front matter and page bundles. */
export function hugoSite(count = 0): Files {
  return {
    'hugo.toml': `baseURL = "https://harbour.example/"
title = "Harbour"
languageCode = "en-gb"
timeZone = "Europe/London"
[params]
description = "From the quay"
author = "Anna Berg"
[permalinks]
posts = "/:year/:month/:slug/"
[taxonomies]
category = "categories"
tag = "tags"
series = "series"
[[menus.main]]
name = "Home"
url = "/"
weight = 1
[[menus.main]]
name = "Docs"
pageRef = "/docs"
weight = 3
identifier = "docs"
[[menus.main]]
name = "Install"
pageRef = "/docs/install"
parent = "docs"
weight = 4
`,
    'layouts/index.html': '<html></html>',
    'themes/x/theme.toml': 'name = "x"',
    'static/images/cat.png': pixel,
    'static/robots.txt': 'User-agent: *',
    'content/_index.md': '---\ntitle: Welcome\n---\nHello.\n',
    'content/about.md': '+++\ntitle = "About"\nmenu = "main"\nweight = 2\n+++\nUs, and [install](docs/install.md).\n',
    'content/posts/_index.md': '---\ntitle: All posts\n---\n',
    'content/posts/hello/index.md': `---
title: Hello
date: 2026-03-05T10:00:00+01:00
lastmod: 2026-03-06
draft: false
slug: hello-harbour
categories: [Notes]
tags: ["low tide", fog]
series: [Tides]
summary: A summary.
description: A description.
aliases: [/old/hello.html, former]
cover:
  image: cover.png
  alt: A cover
---
![cover](cover.png) and [about]({{< relref "about.md" >}}#us) and [docs]({{% ref "/docs/install" %}}).

<!--more-->

{{< figure src="/images/cat.png" alt="a cat" caption="The *cat*" >}}

{{< youtube abc >}} {{< youtube def >}} {{< tweet 1 >}}

\`\`\`html
<a href="/about/">kept</a> {{< ref "about.md" >}}
\`\`\`
`,
    'content/posts/hello/cover.png': pixel,
    'content/posts/json.md':
      '{\n  "title": "In JSON {",\n  "date": "2026-04-01",\n  "rating": 4.5,\n  "draft": true\n}\n\nBody.\n',
    'content/posts/toml.md':
      '+++\ntitle = "In TOML"\ndate = 2026-04-02T08:00:00Z\nexpiryDate = 2020-01-01\ntags = ["fog"]\n[extra]\ndepth = 3\n+++\nBody.\n',
    'content/docs/install.md': '---\ntitle: Install\nweight: 5\nlinkTitle: Setup\n---\nDo it.\n',
    'content/guides/deep/one.md': '---\ntitle: One\n---\nOne.\n',
    'content/categories/notes/_index.md': '---\ntitle: Short notes\n---\nWhat is short.\n',
    ...posts(count, (at) => [
      `content/posts/post-${at}.md`,
      `+++\ntitle = "Post number ${at}"\ndate = ${day(at)}T10:00:00Z\ntags = ["${word(at + 3)}"]\ncategories = ["${word(at)}"]\n+++\n`,
      '/about/',
      '/images/cat.png',
    ]),
  };
}

export function astroSite(count = 0): Files {
  return {
    'astro.config.mjs':
      "import { defineConfig } from 'astro/config';\nexport default defineConfig({\n  site: 'https://harbour.example',\n});\n",
    'src/consts.ts': "export const SITE_TITLE = 'Harbour';\nexport const SITE_DESCRIPTION = 'From the quay';\n",
    'src/content/blog/first-post.md':
      "---\ntitle: 'First post'\ndescription: 'Lorem'\npubDate: 'Jul 08 2022'\nupdatedDate: 2022-08-01\nheroImage: '../../assets/hero.png'\ntags: ['a', 'b']\ndraft: false\n---\n![x](./inside.png) [next](./using-mdx.mdx) [api](/about/)\n",
    'src/content/blog/inside.png': pixel,
    'src/content/blog/using-mdx.mdx':
      "---\ntitle: Using MDX\npubDate: 2022-07-15\n---\nimport Chart from '../../components/Chart.astro';\nexport const year = 2022;\n\nText <Chart year={year} /> and {year}.\n\n```js\nimport kept from 'kept';\n```\n",
    'src/content/authors/anna.md': '---\nname: Anna\n---\nBio.\n',
    'src/pages/about.md': '---\nlayout: ../layouts/Base.astro\ntitle: About\n---\nUs.\n',
    'src/pages/index.astro': '<html></html>',
    'src/assets/hero.png': pixel,
    'public/favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"></svg>',
    'public/pics/a.png': pixel,
    ...posts(count, (at) => [
      `src/content/blog/post-${at}.md`,
      `---\ntitle: 'Post number ${at}'\npubDate: '${day(at)}'\ntags: ['${word(at)}']\n---\n`,
      '/about/',
      '/pics/a.png',
    ]),
  };
}

export function eleventySite(count = 0): Files {
  return {
    'eleventy.config.js': 'export default function (config) {\n  return { dir: { input: "content" } };\n}\n',
    'content/_data/metadata.json':
      '{ "title": "Harbour", "url": "https://harbour.example/", "language": "en", "author": { "name": "Anna Berg", "email": "anna@harbour.example" } }',
    'content/_includes/base.njk': '<html>{{ content }}</html>',
    'content/blog/blog.11tydata.json': '{ "tags": ["posts"], "layout": "layouts/post.njk" }',
    'content/blog/2026-03-05-first.md':
      '---\ntitle: First\ntags:\n  - second tag\n---\n{{ title }} [about](/about/) ![x](./x.png)\n',
    'content/blog/x.png': pixel,
    'content/blog/with-json.md':
      '---json\n{\n  "title": "With JSON",\n  "date": "2026-04-01",\n  "permalink": "/special/place/index.html"\n}\n---\nText.\n',
    'content/about.md': '---\ntitle: About\neleventyNavigation:\n  key: About\n  order: 3\n---\nUs.\n',
    'content/index.md': '---\ntitle: Welcome\neleventyNavigation:\n  key: Home\n  order: 1\n---\nHello.\n',
    'content/about/team.md': '---\ntitle: Team\neleventyNavigation:\n  key: Team\n  parent: About\n---\nUs.\n',
    ...posts(count, (at) => [
      `content/blog/post-${at}.md`,
      `---\ntitle: Post number ${at}\ndate: ${day(at)}\ntags: [${word(at)}]\n---\n`,
      '/about/',
      './x.png',
    ]),
  };
}

export function plainSite(count = 0): Files {
  return {
    'README.md': '# Notes of Anna\n\nStart with [[Deep note|the note]].\n',
    'notes/Deep note.md':
      '---\ntags: sea, low-tide\naliases: [depth]\ncreated: 2026-03-05\nstatus: Doing\n---\nSee [[Other]], [[Missing one]], [[Other#A part]] and ![[Pasted image.png|200]].\n',
    'notes/Other.md': '# Other things\n\n[deep](Deep%20note.md) [file](../files/paper.pdf)\n\n    indented\n',
    'notes/Pasted image.png': pixel,
    'files/paper.pdf': '%PDF-1.4\n',
    '2026-04-01 Walk.md': 'A walk.\n',
    'posts/2026/05/short.md': '---\ntitle: Short\ndate: 2026-05-01\n---\nShort.\n',
    ...posts(count, (at) => [
      `notes/Note ${at}.md`,
      `---\ncreated: ${day(at)}\ntags: [${word(at)}]\n---\n# Note number ${at}\n\n`,
      'Other.md',
      'Pasted%20image.png',
    ]),
  };
}

function posts(count: number, of: (at: number) => readonly [path: string, front: string, link: string, image: string]): Files {
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => {
      const [path, front, link, image] = of(at);
      return [path, front + prose(at, 3000, link, image)];
    }),
  );
}
