/**
 * The built-in blocks, one line each: name, title, category, attributes, supports, more.
 *
 * Attributes  `name:type=default`; types r rich text, s string, b boolean, n number, i integer, a array, o object; a default is
 *             JSON, or the text itself
 * Supports    words of `supportWords`; `!word` is a feature that is switched off; `type` is typography
 * More        `dyn` rendered by the server; `in=` parents, `below=` ancestors, `allows=` inner blocks, `uses=` context,
 *             `gives=context:attribute`, `key=` search words, `style=` style variations (the first is the default)
 *
 * Source: the reference's registrations (6.9); titles and descriptions are our own.
 */
export const blockLines = `
paragraph|Paragraph|text|Plain text, the building block of most writing.|align:s content:r dropCap:b=false placeholder:s direction:s|anchor color type space border !className|key=text
heading|Heading|text|A title of a section, which structures the page.|textAlign:s content:r level:n=2 levelOptions:a placeholder:s|anchor align=wide,full color type space border|key=title,subtitle
list|List|text|Points, numbered or not.|ordered:b=false values:s= type:s start:n reversed:b placeholder:s|anchor color type space border !html|allows=core/list-item key=bullet,ordered,numbered
list-item|List Item|text|One point of a list.|placeholder:s content:r|anchor color type space border !className|in=core/list allows=core/list
quote|Quote|text|Words of somebody else, set apart.|value:s= citation:r textAlign:s|anchor align=left,right,wide,full color type space border layout !html|style=default,plain key=blockquote,cite
code|Code|text|Source text that keeps its spaces.|content:r|anchor align=wide color type space border|
preformatted|Preformatted|text|Text that keeps its spaces and line ends.|content:r|anchor color type space border|
verse|Poetry|text|Lines of a poem or song.|content:r textAlign:s|anchor color type space border|key=poetry,poem
pullquote|Pullquote|text|A sentence of the text, shown large.|value:r citation:r textAlign:s|anchor align=left,right,wide,full color type space border|
table|Table|text|Rows and columns.|hasFixedLayout:b=true caption:r head:a=[] body:a=[] foot:a=[]|anchor align color type space border|style=regular,stripes
details|Details|text|A summary that opens to show more.|showContent:b=false summary:r name:s placeholder:s|anchor align=wide,full color type space border layout !html|key=summary,toggle,disclosure
footnotes|Footnotes|text|Notes collected at the end.||color type space border !html !inserter !multiple !reusable|dyn uses=postId,postType key=references
freeform|Classic|text|Text of the classic editor.|content:s|!className !customClassName !lock !reusable|
missing|Unsupported|text|A block this site does not know.|originalName:s originalUndelimitedContent:s originalContent:s|!className !customClassName !inserter !html !lock !reusable|
math|Math|text|A formula.|latex:s mathML:s|anchor align=wide,full color type space !html|key=equation,formula,latex
accordion|Accordion|design|Headings that open and close their texts.|iconPosition:s=right showIcon:b=true autoclose:b=false headingLevel:n=3 levelOptions:a|anchor align=wide,full color type space border layout !html interactive|allows=core/accordion-item gives=core/accordion-icon-position:iconPosition,core/accordion-show-icon:showIcon,core/accordion-heading-level:headingLevel
accordion-item|Accordion Item|design|One heading with its text.|openByDefault:b=false|color space border layout !html interactive|in=core/accordion allows=core/accordion-heading,core/accordion-panel gives=core/accordion-open-by-default:openByDefault dyn
accordion-heading|Accordion Heading|design|The heading that opens a text.|openByDefault:b=false title:r level:n iconPosition:s=right showIcon:b=true|anchor color type space border !html|in=core/accordion-item uses=core/accordion-icon-position,core/accordion-show-icon,core/accordion-heading-level
accordion-panel|Accordion Panel|design|The text below a heading.|templateLock:s=false|color type space border layout !html|in=core/accordion-item
image|Image|media|A picture with a caption.|blob:s url:s alt:s= caption:r lightbox:o title:s href:s rel:s linkClass:s id:n width:s height:s aspectRatio:s scale:s sizeSlug:s linkDestination:s linkTarget:s|anchor align=left,center,right,wide,full border space interactive|uses=allowResize,imageCrop,fixedHeight,postId,postType,queryId style=default,rounded dyn key=img,photo,picture
gallery|Gallery|media|Several pictures together.|images:a=[] ids:a=[] shortCodeTransforms:a=[] columns:n caption:r imageCrop:b=true randomOrder:b=false fixedHeight:b=true linkTarget:s linkTo:s sizeSlug:s=large allowResize:b=false aspectRatio:s=auto|anchor align color space border layout !html interactive|dyn allows=core/image gives=allowResize:allowResize,imageCrop:imageCrop,fixedHeight:fixedHeight key=images,photos
audio|Audio|media|A player for sound.|blob:s src:s caption:r id:n autoplay:b loop:b preload:s|anchor align space interactive|key=music,sound,podcast,recording
video|Video|media|A player for film.|autoplay:b caption:r controls:b=true id:n loop:b=false muted:b=false poster:s preload:s=metadata blob:s src:s playsInline:b=false tracks:a=[]|anchor align space interactive|dyn key=movie
cover|Cover|media|A picture or film with text over it.|url:s useFeaturedImage:b=false id:n alt:s= hasParallax:b=false isRepeated:b=false dimRatio:n=100 overlayColor:s customOverlayColor:s isUserOverlayColor:b backgroundType:s=image focalPoint:o minHeight:n minHeightUnit:s gradient:s customGradient:s contentPosition:s isDark:b=true templateLock:s tagName:s=div sizeSlug:s poster:s|anchor align color type space border layout !html interactive|dyn uses=postId,postType
file|File|media|A link to a file, with a button to save it.|id:n blob:s href:s fileId:s fileName:r textLinkHref:s textLinkTarget:s showDownloadButton:b=true downloadButtonText:r displayPreview:b previewHeight:n=600|anchor align color space border interactive|dyn key=document,pdf,download
media-text|Media & Text|media|A picture or film beside words.|align:s=none mediaAlt:s= mediaPosition:s=left mediaId:n mediaUrl:s mediaLink:s linkDestination:s linkTarget:s href:s rel:s linkClass:s mediaType:s mediaWidth:n=50 mediaSizeSlug:s isStackedOnMobile:b=true verticalAlignment:s imageFill:b focalPoint:o useFeaturedImage:b=false|anchor align=wide,full color type space border !html|dyn uses=postId,postType key=image,video
buttons|Buttons|design|Links that look like buttons.||anchor align=wide,full color type space border layout !html|allows=core/button key=link
button|Button|design|A link that looks like a button.|tagName:s=a type:s=button textAlign:s url:s title:s text:r linkTarget:s rel:s placeholder:s backgroundColor:s textColor:s gradient:s width:n|anchor color type space border !reusable|dyn in=core/buttons style=fill,outline key=link
columns|Columns|design|Content side by side.|verticalAlignment:s isStackedOnMobile:b=true templateLock:s|anchor align=wide,full color type space border layout !html|allows=core/column
column|Column|design|One of several columns.|verticalAlignment:s width:s templateLock:s|anchor color type space border layout !html !reusable|in=core/columns
group|Group|design|Blocks that belong together.|tagName:s=div templateLock:s|anchor align=wide,full color type space border layout !html|key=container,wrapper,row,section
more|More|design|What comes after it is not part of the excerpt.|customText:s= noTeaser:b=false|!customClassName !className !html !multiple|key=read more
nextpage|Page Break|design|Parts a text into pages.||!customClassName !className !html|in=core/post-content key=next page,pagination
separator|Separator|design|A line between two parts.|opacity:s=alpha-channel tagName:s=hr|anchor align=center,wide,full color space|style=default,wide,dots key=horizontal-line,hr,divider
spacer|Spacer|design|Empty room between blocks.|height:s=100px width:s|anchor space|uses=orientation
text-columns|Text Columns (deprecated)|design|An old block; use columns.|content:a=[{},{}] columns:n=2 width:s|!inserter|
embed|Embed|embed|Something of another site, shown here.|url:s caption:r type:s providerNameSlug:s allowResponsive:b=true responsive:b=false previewable:b=true|align space interactive|
html|Custom HTML|widgets|Markup of your own.|content:s|!customClassName !className !html interactive|key=embed
shortcode|Shortcode|widgets|Words in brackets that stand for something.|text:s|!className !customClassName !html|dyn
archives|Archives|widgets|Links to the months in which there are posts.|displayAsDropdown:b=false showLabel:b=true showPostCounts:b=false type:s=monthly|align anchor color type space border !html interactive|dyn
calendar|Calendar|widgets|The days of a month in which there are posts.|month:i year:i|align anchor color type space !html interactive|dyn key=posts,archive
categories|Terms List|widgets|Links to categories or other terms.|taxonomy:s=category displayAsDropdown:b=false showHierarchy:b=false showPostCounts:b=false showOnlyTopLevel:b=false showEmpty:b=false label:s showLabel:b=true|align anchor color type space border !html interactive|dyn uses=enhancedPagination key=categories
latest-comments|Latest Comments|widgets|What readers wrote last.|commentsToShow:n=5 displayAvatar:b=true displayDate:b=true displayContent:s=excerpt|align anchor color type space border !html interactive|dyn key=recent comments
latest-posts|Latest Posts|widgets|The newest posts.|categories:a selectedAuthor:n postsToShow:n=5 displayPostContent:b=false displayPostContentRadio:s=excerpt excerptLength:n=55 displayAuthor:b=false displayPostDate:b=false postLayout:s=list columns:n=3 order:s=desc orderBy:s=date displayFeaturedImage:b=false featuredImageAlign:s featuredImageSizeSlug:s=thumbnail featuredImageSizeWidth:n featuredImageSizeHeight:n addLinkToFeaturedImage:b=false|align anchor color type space border !html|dyn key=recent posts
page-list|Page List|widgets|Links to all pages.|parentPageID:i=0 isNested:b=false|anchor type space border !html !reusable interactive|dyn uses=textColor,customTextColor,backgroundColor,customBackgroundColor,overlayTextColor,customOverlayTextColor,overlayBackgroundColor,customOverlayBackgroundColor,fontSize,customFontSize,showSubmenuIcon,style,openSubmenusOnClick key=menu,navigation
page-list-item|Page List Item|widgets|One page of a list.|id:n label:s title:s link:s hasChildren:b|!reusable !html !lock !inserter|in=core/page-list
rss|RSS|widgets|Entries of a feed.|columns:n=2 blockLayout:s=list feedURL:s= itemsToShow:n=5 displayExcerpt:b=false displayAuthor:b=false displayDate:b=false excerptLength:n=55 openInNewTab:b=false rel:s|align anchor color type space border !html interactive|dyn key=atom,feed
search|Search|widgets|A form to search the site.|label:s showLabel:b=true placeholder:s= width:n widthUnit:s buttonText:s buttonPosition:s=button-outside buttonUseIcon:b=false query:o={} isSearchFieldHidden:b=false|align=left,center,right color type space border !html interactive|dyn key=find
social-links|Social Icons|widgets|Links to profiles elsewhere.|iconColor:s customIconColor:s iconColorValue:s iconBackgroundColor:s customIconBackgroundColor:s iconBackgroundColorValue:s openInNewTab:b=false showLabels:b=false size:s|align=left,center,right anchor color space border layout|allows=core/social-link gives=openInNewTab:openInNewTab,showLabels:showLabels,iconColor:iconColor,iconColorValue:iconColorValue,iconBackgroundColor:iconBackgroundColor,iconBackgroundColorValue:iconBackgroundColorValue style=default,logos-only,pill-shape key=links
social-link|Social Icon|widgets|A link to one profile.|url:s service:s label:s rel:s|!reusable !html interactive|dyn in=core/social-links uses=openInNewTab,showLabels,iconColor,iconColorValue,iconBackgroundColor,iconBackgroundColorValue
tag-cloud|Tag Cloud|widgets|Tags, the common ones larger.|numberOfTags:n=45 taxonomy:s=post_tag showTagCounts:b=false smallestFontSize:s=8pt largestFontSize:s=22pt|align anchor type space border !html interactive|dyn style=default,outline
legacy-widget|Legacy Widget|widgets|A widget of the classic kind.|id:s idBase:s instance:o|!html !customClassName !reusable|dyn
widget-group|Widget Group|widgets|A titled group of widgets.|title:s|!html !inserter !customClassName !reusable|dyn
block|Pattern|reusable|A pattern of this site, kept in step wherever it is used.|ref:n content:o={}|!customClassName !html !inserter interactive|dyn gives=pattern/overrides:content key=reusable
pattern|Pattern Placeholder|theme|A pattern of the design.|slug:s|!html !inserter interactive|dyn
template-part|Template Part|theme|A piece that layouts share.|slug:s theme:s tagName:s area:s|align !html !reusable interactive|dyn
navigation|Navigation|theme|A menu of links.|ref:n textColor:s customTextColor:s rgbTextColor:s backgroundColor:s customBackgroundColor:s rgbBackgroundColor:s showSubmenuIcon:b=true openSubmenusOnClick:b=false overlayMenu:s=mobile icon:s=handle hasIcon:b=true __unstableLocation:s overlayBackgroundColor:s customOverlayBackgroundColor:s overlayTextColor:s customOverlayTextColor:s maxNestingLevel:n=5 templateLock:s|align=wide,full type space layout !html interactive|dyn allows=core/navigation-link,core/search,core/social-links,core/page-list,core/spacer,core/home-link,core/icon,core/site-title,core/site-logo,core/navigation-submenu,core/loginout,core/buttons gives=textColor:textColor,backgroundColor:backgroundColor,showSubmenuIcon:showSubmenuIcon,openSubmenusOnClick:openSubmenusOnClick,maxNestingLevel:maxNestingLevel key=menu,links
navigation-link|Custom Link|design|One link of a menu.|label:s type:s description:s rel:s id:n opensInNewTab:b=false url:s title:s kind:s isTopLevelLink:b|type !reusable !html interactive|dyn in=core/navigation uses=textColor,backgroundColor,showSubmenuIcon,style,maxNestingLevel
navigation-submenu|Submenu|design|A link with links below it.|label:s type:s description:s rel:s id:n opensInNewTab:b=false url:s title:s kind:s isTopLevelItem:b|type !reusable !html interactive|dyn in=core/navigation uses=textColor,backgroundColor,showSubmenuIcon,openSubmenusOnClick,maxNestingLevel,style
home-link|Home Link|design|A link to the front page.|label:s|type !reusable !html interactive|dyn in=core/navigation uses=textColor,backgroundColor,fontSize,style
loginout|Login/out|theme|A link to sign in or out.|displayLoginAsForm:b=false redirectToCurrent:b=true|color type space border interactive|dyn key=login,logout,form
site-logo|Site Logo|theme|The logo of the site.|width:n isLink:b=true linkTarget:s=_self shouldSyncIcon:b|align anchor color space !html interactive|dyn style=default,rounded
site-tagline|Site Tagline|theme|The site's description.|textAlign:s level:n=0 levelOptions:a=[0,1,2,3,4,5,6]|align=wide,full color type space border !html interactive|dyn key=description
site-title|Site Title|theme|The name of the site.|level:n=1 levelOptions:a=[0,1,2,3,4,5,6] textAlign:s isLink:b=true linkTarget:s=_self|align=wide,full color type space border !html interactive|dyn
query|Query Loop|theme|Posts that meet a choice, shown by one layout.|queryId:n query:o={"perPage":null,"pages":0,"offset":0,"postType":"post","order":"desc","orderBy":"date","author":"","search":"","exclude":[],"sticky":"","inherit":true,"taxQuery":null,"parents":[],"format":[]} tagName:s=div namespace:s enhancedPagination:b=false|align=wide,full layout !html interactive|dyn uses=templateSlug gives=queryId:queryId,query:query,displayLayout:displayLayout,enhancedPagination:enhancedPagination key=posts,list,blog
post-template|Post Template|theme|How each post of a loop looks.||align=wide,full color type space border layout !html !reusable interactive|dyn below=core/query uses=queryId,query,displayLayout,templateSlug,previewPostType,enhancedPagination,postType
query-no-results|No Results|theme|What is shown when a loop finds nothing.||align color type !html !reusable interactive|dyn below=core/query uses=queryId,query
query-pagination|Pagination|theme|Links to the other pages of a loop.|paginationArrow:s=none showLabel:b=true|align color type layout !html !reusable interactive|dyn below=core/query allows=core/query-pagination-previous,core/query-pagination-numbers,core/query-pagination-next uses=queryId,query gives=paginationArrow:paginationArrow,showLabel:showLabel
query-pagination-next|Next Page|theme|A link to the next page.|label:s|color type !html !reusable interactive|dyn in=core/query-pagination uses=queryId,query,paginationArrow,showLabel,enhancedPagination
query-pagination-numbers|Page Numbers|theme|Numbers of the pages.|midSize:n=2|color type !html !reusable interactive|dyn in=core/query-pagination uses=queryId,query,enhancedPagination
query-pagination-previous|Previous Page|theme|A link to the page before.|label:s|color type !html !reusable interactive|dyn in=core/query-pagination uses=queryId,query,paginationArrow,showLabel,enhancedPagination
query-title|Query Title|theme|The title of an archive or a search.|type:s textAlign:s level:n=1 levelOptions:a showPrefix:b=true showSearchTerm:b=true|align=wide,full color type space border !html interactive|dyn uses=query
query-total|Query Total|theme|How many a loop found.|displayType:s=total-results|align=wide,full color type space border !html|dyn below=core/query uses=queryId,query
terms-query|Terms Query|theme|Terms that meet a choice, shown by one layout.|termQuery:o={"perPage":10,"taxonomy":"category","order":"asc","orderBy":"name","include":[],"hideEmpty":true,"showNested":false,"inherit":false} tagName:s=div|align=wide,full layout !html interactive|dyn uses=templateSlug gives=termQuery:termQuery key=terms,taxonomy,categories,tags
term-template|Term Template|theme|How each term of a query looks.||align=wide,full color type space border layout !html !reusable interactive|dyn below=core/terms-query uses=termQuery
term-name|Term Name|theme|The name of a term.|textAlign:s level:n=0 isLink:b=false levelOptions:a|align=wide,full color type space border !html interactive|dyn uses=termId,taxonomy
term-count|Term Count|theme|How many items a term has.|bracketType:s=round|color type space border !html interactive|dyn uses=termId,taxonomy
term-description|Term Description|theme|What is said about a term.|textAlign:s|align=wide,full color type space border !html interactive|dyn uses=termId,taxonomy
post-title|Title|theme|The title of a post.|textAlign:s level:n=2 levelOptions:a isLink:b=false rel:s= linkTarget:s=_self|align=wide,full color type space border !html interactive|dyn uses=postId,postType,queryId
post-content|Content|theme|The text of a post.|tagName:s=div|align=wide,full color type space layout !html|dyn uses=postId,postType,queryId
post-excerpt|Excerpt|theme|The excerpt of a post.|textAlign:s moreText:s showMoreOnNewLine:b=true excerptLength:n=55|color type space border !html interactive|dyn uses=postId,postType,queryId
post-date|Date|theme|The date of a post.|datetime:s textAlign:s format:s isLink:b=false|anchor color type space border !html interactive|dyn uses=postId,postType,queryId
post-author|Author (deprecated)|theme|The author with a picture.|textAlign:s avatarSize:n=48 showAvatar:b=true showBio:b byline:s isLink:b=false linkTarget:s=_self|color type space border !html interactive|dyn uses=postType,postId,queryId
post-author-name|Author Name|theme|The name of the author.|textAlign:s isLink:b=false linkTarget:s=_self|color type space border !html interactive|dyn uses=postType,postId
post-author-biography|Author Biography|theme|What the author says of themselves.|textAlign:s|color type space border interactive|dyn uses=postType,postId
post-featured-image|Featured Image|theme|The picture of a post.|isLink:b=false aspectRatio:s width:s height:s scale:s=cover sizeSlug:s rel:s= linkTarget:s=_self overlayColor:s customOverlayColor:s dimRatio:n=0 gradient:s customGradient:s useFirstImageFromPost:b=false|align=left,right,center,wide,full border space !html interactive|dyn uses=postId,postType,queryId
post-navigation-link|Post Navigation Link|theme|A link to the post before or after.|textAlign:s type:s=next label:s showTitle:b=false linkLabel:b=false arrow:s=none taxonomy:s=|color type space !html !reusable interactive|dyn uses=postType
post-terms|Post Terms|theme|The terms of a post.|term:s textAlign:s separator:s=,%20 prefix:s= suffix:s=|color type space border !html interactive|dyn uses=postId,postType
post-time-to-read|Time to Read|theme|How long reading a post takes.|textAlign:s displayAsRange:b=true displayMode:s=time averageReadingSpeed:n=189|color type space border !html|dyn uses=postId,postType
post-comments-count|Comments Count|theme|How many comments a post has.|textAlign:s|color type space border !html interactive|dyn uses=postId
post-comments-form|Comments Form|theme|The form to comment.|textAlign:s|color type space border !html|dyn uses=postId,postType
post-comments-link|Comments Link|theme|A link to the comments.|textAlign:s|color type space border !html interactive|dyn uses=postType,postId
read-more|Read More|theme|A link to a post.|content:r linkTarget:s=_self|color type space border layout !html interactive|dyn uses=postId
avatar|Avatar|theme|The picture of a user.|userId:n size:n=96 isLink:b=false linkTarget:s=_self|align !html border space interactive|dyn uses=postType,postId,commentId
comments|Comments|theme|The comments of a post.|tagName:s=div legacy:b=false|align=wide,full color type space border !html|dyn uses=postId,postType
comments-title|Comments Title|theme|A title with the number of comments.|textAlign:s showPostTitle:b=true showCommentsCount:b=true level:n=2 levelOptions:a|align color type space border !html interactive|dyn below=core/comments uses=postId,postType
comment-template|Comment Template|design|How each comment looks.||align !html !reusable type space border interactive|dyn in=core/comments uses=postId
comment-author-name|Comment Author Name|theme|Who wrote a comment.|isLink:b=true linkTarget:s=_self textAlign:s|color type space border !html interactive|dyn below=core/comment-template uses=commentId
comment-content|Comment Content|theme|The text of a comment.|textAlign:s|color type space border !html|dyn below=core/comment-template uses=commentId
comment-date|Comment Date|theme|When a comment was written.|format:s isLink:b=true|color type space border !html interactive|dyn below=core/comment-template uses=commentId
comment-edit-link|Comment Edit Link|theme|A link to edit a comment.|linkTarget:s=_self textAlign:s|color type space border !html interactive|dyn below=core/comment-template uses=commentId
comment-reply-link|Comment Reply Link|theme|A link to answer a comment.|textAlign:s|color type space border !html interactive|dyn below=core/comment-template uses=commentId
comments-pagination|Comments Pagination|theme|Links to the other pages of comments.|paginationArrow:s=none|align color type layout !html !reusable interactive|dyn in=core/comments allows=core/comments-pagination-previous,core/comments-pagination-numbers,core/comments-pagination-next gives=comments/paginationArrow:paginationArrow
comments-pagination-next|Comments Next Page|theme|A link to newer or older comments.|label:s|color type !html !reusable interactive|dyn in=core/comments-pagination uses=postId,comments/paginationArrow
comments-pagination-numbers|Comments Page Numbers|theme|Numbers of the pages of comments.||color type !html !reusable interactive|dyn in=core/comments-pagination uses=postId
comments-pagination-previous|Comments Previous Page|theme|A link to the other comments.|label:s|color type !html !reusable interactive|dyn in=core/comments-pagination uses=postId,comments/paginationArrow`;

export interface BlockType {
  /** With its namespace: `core/heading`. */
  readonly name: string;
  readonly title: string;
  readonly category: string;
  readonly description: string;
  readonly attributes: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly supports: Readonly<Record<string, unknown>>;
  readonly isDynamic: boolean;
  readonly parent: readonly string[] | null;
  readonly ancestor: readonly string[] | null;
  readonly allowed: readonly string[] | null;
  readonly uses: readonly string[];
  readonly provides: Readonly<Record<string, string>>;
  readonly keywords: readonly string[];
  readonly styles: readonly { readonly name: string; readonly label: string; readonly isDefault?: true }[];
}

/** What a word of the supports column stands for, and the attributes that come with it. */
const supportWords: Readonly<Record<string, readonly [supports: Readonly<Record<string, unknown>>, attributes: string]>> = {
  anchor: [{ anchor: true }, ''],
  color: [{ color: { gradients: true, link: true } }, 'backgroundColor:s textColor:s gradient:s style:o'],
  type: [{ typography: { fontSize: true, lineHeight: true } }, 'fontSize:s fontFamily:s style:o'],
  space: [{ spacing: { margin: true, padding: true } }, 'style:o'],
  border: [{ __experimentalBorder: { color: true, radius: true, style: true, width: true } }, 'borderColor:s style:o'],
  layout: [{ layout: true }, 'layout:o style:o'],
  interactive: [{ interactivity: { clientNavigation: true } }, ''],
};

const attributeTypes: Readonly<Record<string, string>> = {
  r: 'rich-text',
  s: 'string',
  b: 'boolean',
  n: 'number',
  i: 'integer',
  a: 'array',
  o: 'object',
};

/** Blocks by name, with the attributes that their supports bring. */
export const blockTypes: ReadonlyMap<string, BlockType> = new Map(
  blockLines
    .trim()
    .split('\n')
    .map(parseLine)
    .map((block) => [block.name, block]),
);

function parseLine(line: string): BlockType {
  const [slug = '', title = '', category = '', description = '', attributes = '', supports = '', more = ''] = line.split('|');
  // Search words may have blanks in them: a part begins where a known word does.
  const parts = more.split(/ (?=(?:dyn$|dyn |in=|below=|allows=|uses=|gives=|key=|style=))/);
  const list = (name: string): readonly string[] | null => {
    const part = parts.find((one) => one.startsWith(`${name}=`));
    return part === undefined ? null : part.slice(name.length + 1).split(',');
  };
  const given = parseSupports(supports);
  return {
    name: `core/${slug}`,
    title,
    category,
    description,
    attributes: { ...parseAttributes(attributes), ...given.attributes },
    supports: given.supports,
    isDynamic: parts.includes('dyn'),
    parent: list('in'),
    ancestor: list('below'),
    allowed: list('allows'),
    uses: list('uses') ?? [],
    provides: Object.fromEntries((list('gives') ?? []).map((pair) => pair.split(':') as [string, string])),
    keywords: list('key') ?? [],
    styles: (list('style') ?? []).map((name, at) => ({ name, label: labelOf(name), ...(at === 0 ? { isDefault: true } : {}) })),
  };
}

function parseAttributes(text: string): Record<string, Record<string, unknown>> {
  return Object.fromEntries(
    text
      .split(' ')
      .filter(Boolean)
      .map((word) => {
        const [, name = '', type = '', fallback] = /^([^:]+):(.)(?:=(.*))?$/.exec(word) ?? [];
        return [name, { type: attributeTypes[type], ...(fallback === undefined ? {} : { default: parseDefault(fallback) }) }];
      }),
  );
}

/** JSON where it is JSON, else the text, with `%20` for a blank. */
function parseDefault(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return decodeURIComponent(text);
  }
}

function parseSupports(text: string): Pick<BlockType, 'supports' | 'attributes'> {
  const supports: Record<string, unknown> = {};
  const attributes: Record<string, Record<string, unknown>> = { lock: { type: 'object' }, metadata: { type: 'object' } };
  for (const word of text.split(' ').filter(Boolean)) {
    const [name = '', values] = word.split('=');
    if (name.startsWith('!')) supports[name.slice(1)] = false;
    else if (name === 'align') {
      supports.align = values?.split(',') ?? true;
      attributes.align = { type: 'string', enum: ['left', 'center', 'right', 'wide', 'full', ''] };
    } else {
      const [brings, own] = supportWords[name] as NonNullable<(typeof supportWords)[string]>;
      Object.assign(supports, brings);
      Object.assign(attributes, parseAttributes(own));
    }
  }
  if (supports.className !== false) attributes.className = { type: 'string' };
  return { supports, attributes };
}

/** A name for people, from one for machines. */
export function labelOf(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ');
}
