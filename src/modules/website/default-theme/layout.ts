/** Layout templates. */

const layout = `<!doctype html>
<html lang="{{ site.language }}" dir="{{ site.dir }}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
{{ head }}
{%- if site.has_icon %}
<link rel="icon" href="/favicon.ico">
{%- endif %}
<link rel="stylesheet" href="{{ style }}">
</head>
<body class="{{ page.kind }}">
<a class="skip" href="#main">{{ 'Skip to the content' | t }}</a>
{% render 'header', site: site, menus: menus, page: page, search: search, languages: languages %}
<main id="main" tabindex="-1">
{% block main %}{% endblock %}
</main>
{% render 'footer', site: site, menus: menus, languages: languages %}
{{- reload }}
</body>
</html>
`;

const header = `<header class="site-header">
<div class="brand">
{%- if site.logo %}
<a class="logo" href="{{ site.url }}" aria-label="{{ site.name }}">{{ site.logo }}</a>
{%- endif %}
<div>
{%- if page.kind == 'home' and page.number == 1 and page.title == '' %}
<h1 class="site-name"><a href="{{ site.url }}" rel="home">{{ site.name }}</a></h1>
{%- else %}
<p class="site-name"><a href="{{ site.url }}" rel="home">{{ site.name }}</a></p>
{%- endif %}
{%- if site.description != '' %}
<p class="tagline">{{ site.description }}</p>
{%- endif %}
</div>
</div>
{%- if menus.header.size > 0 %}
<button class="menu-button" popovertarget="main-menu">{{ 'Menu' | t }}</button>
<nav id="main-menu" popover aria-label="{{ 'Main' | t }}">
{% render 'menu', items: menus.header %}
</nav>
{%- endif %}
{%- if search and page.kind != 'search' %}
{% render 'search-form', search: search, id: 'search-top' %}
{%- endif %}
</header>`;

const footer = `<footer class="site-footer">
{%- if menus.footer.size > 0 %}
<nav aria-label="{{ 'Footer' | t }}">
{% render 'menu', items: menus.footer %}
</nav>
{%- endif %}
{%- if languages.size > 0 %}
<nav aria-label="{{ 'Languages' | t }}">
<ul class="menu languages">
{%- for language in languages %}
<li><a href="{{ language.url }}" lang="{{ language.tag }}" hreflang="{{ language.tag }}"{% if language.is_current %} aria-current="true"{% endif %}>{{ language.name }}</a></li>
{%- endfor %}
</ul>
</nav>
{%- endif %}
<p>{{ site.name }} · <a href="{{ site.url }}feed/">{{ 'Feed' | t }}</a></p>
</footer>`;

const menu = `<ul class="menu">
{%- for item in items %}
<li>
{%- if item.url == '' %}<span>{{ item.title }}</span>
{%- else %}<a href="{{ item.url }}"{% if item.is_current %} aria-current="page"{% endif %}{% if item.opens_window %} target="_blank" rel="noopener"{% endif %}>{{ item.title }}</a>
{%- endif %}
{%- if item.items.size > 0 %}
{% render 'menu', items: item.items %}
{%- endif %}</li>
{%- endfor %}
</ul>`;

const searchForm = `<form class="search" role="search" method="get" action="{{ search.action }}">
<label for="{{ id }}">{{ 'Search' | t }}</label>
<span><input type="search" id="{{ id }}" name="s" value="{{ search.words }}" maxlength="200" required><button>{{ 'Search' | t }}</button></span>
</form>`;

const pagination = `{%- if pages.count > 1 %}
<nav class="pages" aria-label="{{ 'Pages' | t }}">
{%- if pages.previous %}
<a href="{{ pages.previous }}" rel="prev">{{ 'Previous page' | t }}</a>
{%- endif %}
<ol>
{%- for link in pages.links %}
{%- if link.url == nil %}
<li aria-hidden="true">…</li>
{%- elsif link.is_current %}
<li><span aria-current="page"><span class="hidden">{{ 'Page' | t }} </span>{{ link.number }}</span></li>
{%- else %}
<li><a href="{{ link.url }}"><span class="hidden">{{ 'Page' | t }} </span>{{ link.number }}</a></li>
{%- endif %}
{%- endfor %}
</ol>
{%- if pages.next %}
<a href="{{ pages.next }}" rel="next">{{ 'Next page' | t }}</a>
{%- endif %}
</nav>
{%- endif %}`;

const list = `{% layout 'layout' %}{% block main %}
{%- if list.title != '' or pages.number > 1 %}
<header class="list-header">
<h1>{% if list.title == '' %}{{ site.name }}{% else %}{{ list.title }}{% endif %}{% if pages.number > 1 %} <small>{{ 'Page {number} of {count}' | t: number: pages.number, count: pages.count }}</small>{% endif %}</h1>
{%- if list.description != '' and list.kind != 'home' %}
<p>{{ list.description }}</p>
{%- endif %}
{%- if list.kind == 'search' %}
{%- if search %}
{% render 'search-form', search: search, id: 'search-main' %}
{%- endif %}
{%- if search.words != '' %}
<p role="status">{{ '{count} results' | t: count: list.total }}</p>
{%- endif %}
{%- endif %}
</header>
{%- endif %}
{%- for post in posts %}
{% render 'entry', post: post, list: list %}
{%- endfor %}
{%- if posts.size == 0 and list.kind != 'search' %}
<p>{{ 'There is nothing here yet.' | t }}</p>
{%- endif %}
{% render 'pagination', pages: pages %}
{% endblock %}`;

const missing = `{% layout 'layout' %}{% block main %}
{%- if page.kind == 'gone' %}
<h1>{{ 'Gone' | t }}</h1>
<p>{{ 'What was at this address has been removed.' | t }}</p>
{%- else %}
<h1>{{ 'Not found' | t }}</h1>
<p>{{ 'There is nothing at this address.' | t }}</p>
{%- endif %}
<p><a href="{{ site.url }}">{{ 'Go to the front page' | t }}</a></p>
{% endblock %}`;

export const layoutTemplates = {
  layout,
  header,
  footer,
  menu,
  'search-form': searchForm,
  pagination,
  list,
  '404': missing,
} as const;
