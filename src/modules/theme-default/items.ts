/**
 * Templates of posts, pages and media, and of what belongs to them.
 */

const entry = `<article class="entry">
{%- if post.image %}
<a class="picture" href="{{ post.url }}" tabindex="-1" aria-hidden="true">{{ post.image }}</a>
{%- endif %}
<h2><a href="{{ post.url }}">{{ post.title }}</a></h2>
{% render 'byline', post: post, list: list %}
{%- if post.is_locked %}
<p>{{ 'This content is protected by a password.' | t }}</p>
{%- else %}
{{ post.excerpt }}
{%- endif %}
</article>`;

const byline = `<p class="byline">
{%- if post.type != 'page' and post.type != 'attachment' -%}
<time datetime="{{ post.date.iso }}">{{ post.date.text }}</time>
{%- if post.author and list.kind != 'author' %} · <a rel="author" href="{{ post.author.url }}">{{ post.author.name }}</a>{% endif -%}
{%- if post.comment_count > 0 %} · <a href="{{ post.url }}#comments">{{ '{count} comments' | t: count: post.comment_count }}</a>{% endif -%}
{%- if post.is_sticky and list.kind == 'home' %} · <span class="mark">{{ 'Pinned' | t }}</span>{% endif -%}
{%- else -%}
{{ post.type_label | t }}
{%- endif -%}
</p>`;

const heading = `{%- if post.parent %}
<p class="byline"><a href="{{ post.parent.url }}">{{ post.parent.title }}</a></p>
{%- endif %}
<h1>{{ post.title }}</h1>
{%- if post.is_preview %}
<p class="notice">{{ 'This is a preview. Whoever has the link can see it until the link expires.' | t }}</p>
{%- endif %}`;

const post = `{% layout 'layout' %}{% block main %}
<article class="item">
<header>
{% render 'heading', post: post %}
{% render 'byline', post: post %}
</header>
{% render 'body', post: post, is_static: is_static %}
{%- if post.terms.size > 0 %}
<footer>
{%- for group in post.terms %}
<p class="terms"><span>{{ group.label | t }}:</span> {% for term in group.terms %}<a href="{{ term.url }}" rel="tag">{{ term.name }}</a>{% unless forloop.last %}, {% endunless %}{% endfor %}</p>
{%- endfor %}
</footer>
{%- endif %}
</article>
{%- if post.newer or post.older %}
<nav class="neighbours" aria-label="{{ 'Posts' | t }}">
{%- if post.older %}
<a rel="prev" href="{{ post.older.url }}"><span>{{ 'Older:' | t }}</span> {{ post.older.title }}</a>
{%- endif %}
{%- if post.newer %}
<a rel="next" href="{{ post.newer.url }}"><span>{{ 'Newer:' | t }}</span> {{ post.newer.title }}</a>
{%- endif %}
</nav>
{%- endif %}
{% render 'comments', post: post, site: site %}
{% endblock %}`;

const page = `{% layout 'layout' %}{% block main %}
<article class="item">
<header>
{% render 'heading', post: post %}
</header>
{% render 'body', post: post, is_static: is_static %}
</article>
{% render 'comments', post: post, site: site %}
{% endblock %}`;

const attachment = page;

const body = `{%- if post.is_locked %}
<div class="content">
<p>{{ 'This content is protected by a password.' | t }}</p>
{%- unless is_static %}
<form class="password" method="post">
{%- if post.is_wrong_password %}
<p class="notice" role="alert">{{ 'That is not the password.' | t }}</p>
{%- endif %}
<label for="post-password">{{ 'Password' | t }}</label>
<span><input type="password" id="post-password" name="post_password" autocomplete="current-password" required><button>{{ 'Open' | t }}</button></span>
</form>
{%- endunless %}
</div>
{%- else %}
{%- if post.image %}
<div class="picture">{{ post.image }}</div>
{%- endif %}
<div class="content">
{{ post.content }}
</div>
{%- endif %}`;

const comments = `{%- if post.comments.size > 0 or post.comments_open %}
<section class="comments" id="comments" aria-labelledby="comments-title">
<h2 id="comments-title">{% if post.comment_count == 0 %}{{ 'Comments' | t }}{% else %}{{ '{count} comments' | t: count: post.comment_count }}{% endif %}</h2>
{%- if post.comments.size > 0 %}
<ol>
{%- for comment in post.comments %}
{% render 'comment', comment: comment %}
{%- endfor %}
</ol>
{%- endif %}
{%- if post.comments_open %}
<p class="respond" id="respond">Comments are open{% unless post.comments_by_visitors %} to people with an account{% endunless %}. They come in over <a href="{{ site.rest }}">the interface of this site</a>.</p>
{%- endif %}
</section>
{%- endif %}`;

const comment = `<li id="comment-{{ comment.id }}">
<article>
<p class="byline">{% if comment.author_url == '' %}<b>{{ comment.author }}</b>{% else %}<a rel="external nofollow ugc" href="{{ comment.author_url }}"><b>{{ comment.author }}</b></a>{% endif %}{% if comment.is_author %} <span class="mark">{{ 'Author' | t }}</span>{% endif %} · <a href="#comment-{{ comment.id }}"><time datetime="{{ comment.date.iso }}">{{ comment.date.text }}, {{ comment.date.time }}</time></a></p>
{{ comment.content }}
</article>
{%- if comment.replies.size > 0 %}
<ol>
{%- for reply in comment.replies %}
{% render 'comment', comment: reply %}
{%- endfor %}
</ol>
{%- endif %}
</li>`;

export const itemTemplates = { entry, byline, heading, post, page, attachment, body, comments, comment } as const;
