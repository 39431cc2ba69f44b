/** Templates of posts, pages and media, and their parts. */

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
{% render 'comments', post: post, is_static: is_static %}
{% endblock %}`;

const page = `{% layout 'layout' %}{% block main %}
<article class="item">
<header>
{% render 'heading', post: post %}
</header>
{% render 'body', post: post, is_static: is_static %}
</article>
{% render 'comments', post: post, is_static: is_static %}
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
{% render 'comment', comment: comment, form: post.comment_form %}
{%- endfor %}
</ol>
{%- endif %}
{%- if post.comment_form %}
{% render 'comment-form', form: post.comment_form %}
{%- elsif post.comments_open and post.comments_by_visitors == false and is_static == false %}
<p class="respond" id="respond">{{ 'You must be signed in to comment.' | t }} <a rel="nofollow" href="{{ post.comments_sign_in }}">{{ 'Sign in to comment.' | t }}</a></p>
{%- endif %}
</section>
{%- endif %}`;

const comment = `<li id="comment-{{ comment.id }}">
<article>
<p class="byline">{% if comment.author_url == '' %}<b>{{ comment.author }}</b>{% else %}<a rel="external nofollow ugc" href="{{ comment.author_url }}"><b>{{ comment.author }}</b></a>{% endif %}{% if comment.is_author %} <span class="mark">{{ 'Author' | t }}</span>{% endif %} · <a href="#comment-{{ comment.id }}"><time datetime="{{ comment.date.iso }}">{{ comment.date.text }}, {{ comment.date.time }}</time></a></p>
{{ comment.content }}
{%- if form %}
<p class="reply"><a rel="nofollow" href="{{ form.reply_url }}{{ comment.id }}#respond" aria-label="{{ 'Reply to {name}' | t: name: comment.author }}">{{ 'Reply' | t }}</a></p>
{%- endif %}
</article>
{%- if comment.replies.size > 0 %}
<ol>
{%- for reply in comment.replies %}
{% render 'comment', comment: reply, form: form %}
{%- endfor %}
</ol>
{%- endif %}
</li>`;

const commentForm = `<section class="respond" id="respond" aria-labelledby="respond-title">
<h3 id="respond-title">{% if form.reply %}{{ 'Reply to {name}' | t: name: form.reply.author }} <small><a rel="nofollow" href="{{ form.page_url }}#respond">{{ 'Cancel the reply' | t }}</a></small>{% else %}{{ 'Leave a comment' | t }}{% endif %}</h3>
{%- if form.waits %}
<p class="notice" role="status">{{ 'Thank you. Your comment is shown once it has been approved.' | t }}</p>
{%- endif %}
<form class="comment-form" method="post" action="{{ form.action }}">
{%- if form.error != '' %}
<p class="notice" role="alert" id="comment-error">{{ form.error }}</p>
{%- endif %}
{%- if form.by != '' %}
<p>{{ 'You are signed in as {name}.' | t: name: form.by }}</p>
<input type="hidden" name="proof" value="{{ form.proof }}">
{%- endif %}
{%- for field in form.fields %}
<p><label for="comment-{{ field.name }}">{{ field.label | t }}</label>
{%- if field.type == 'textarea' %}
<textarea id="comment-{{ field.name }}" name="{{ field.name }}" rows="6" maxlength="{{ field.most }}" required{% if field.is_wrong %} aria-invalid="true" aria-describedby="comment-error" autofocus{% endif %}>
{{ field.value }}</textarea></p>
{%- else %}
<input type="{{ field.type }}" id="comment-{{ field.name }}" name="{{ field.name }}" value="{{ field.value }}" maxlength="{{ field.most }}" autocomplete="{{ field.autocomplete }}"{% if field.is_required %} required{% endif %}{% if field.is_wrong %} aria-invalid="true" aria-describedby="comment-error" autofocus{% endif %}></p>
{%- endif %}
{%- endfor %}
<p hidden><label for="comment-trap">{{ 'Leave this field empty' | t }}</label><input hidden id="comment-trap" name="{{ form.trap }}" autocomplete="off"></p>
<input type="hidden" name="comment_post_ID" value="{{ form.post }}">
<input type="hidden" name="comment_parent" value="{{ form.reply.id | default: 0 }}">
<button>{{ 'Send the comment' | t }}</button>
</form>
</section>`;

export const itemTemplates = {
  entry,
  byline,
  heading,
  post,
  page,
  attachment,
  body,
  comments,
  comment,
  'comment-form': commentForm,
} as const;
