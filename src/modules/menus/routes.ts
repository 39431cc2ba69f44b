/**
 * Menus: terms that contain links, shown at locations of the design.
 *
 * Shape    id, name, slug, description, meta, locations, auto_add
 * Access   readable for users who may write anything; writing requires edit_theme_options
 * Errors   those of terms; rest_cannot_view, menu_exists, empty_term_name, rest_invalid_menu_location (inside rest_invalid_param)
 * Source   behaviour of the reference (6.9); conformance scenario menus
 */
import { canEditSomething } from '../people/accounts/record.ts';
import { createMenuView, declaredLocations } from './view.ts';
import { type MenuInput, planMenuCreate, planMenuDelete, planMenuUpdate } from './plan.ts';
import type { Site } from '../../kernel/site/site.ts';
import { fail } from '../../kernel/errors.ts';
import type { MenuRecord } from './record.ts';
import type { TermRecord } from '../content/terms/record.ts';
import { bySchema } from '../../kernel/rest/args.ts';
import { coerceValue } from '../../kernel/rest/coerce.ts';
import type { RouteLinks } from '../../kernel/rest/resource.ts';
import type { Namespace } from '../../kernel/rest/types.ts';
import type { Call, AccessRule } from '../../kernel/rest/types.ts';
import { invalid } from '../../kernel/rest/validate.ts';
import { type TermInput, termLinks, termRoutes, type TermWriter } from '../content/terms/index.ts';
import { inState } from '../../kernel/rest/preconditions.ts';

export function menuRoutes(site: Site): Namespace['routes'] {
  const taxonomy = site.taxonomies.get('nav_menu');
  if (!taxonomy) return [];
  return termRoutes(taxonomy, site.termFields.get('nav_menu') ?? {}, {
    extension: site.modules.extension(['nav_menu', 'term'], ['fields']),
    allow: mayView('menus'),
    view: (call) => createMenuView(call.site, (name) => call.request.dialect.wireName(name)),
    links: menuLinks,
    write: writer,
    args: {
      locations: {
        validate(value, request, param, arg) {
          const problem = bySchema(value, request, param, arg);
          if (problem) return problem;
          const known = declaredLocations(site);
          const location = (coerceValue(value, arg, param) as readonly string[]).find((name) => !known.has(name));
          return location === undefined ? null : invalid('rest_invalid_menu_location', 'Invalid menu location.', { location });
        },
      },
    },
  });
}

/** Menus are readable for users who may write anything. */
export function mayView(what: string): AccessRule {
  return ({ site, user }) =>
    site.access.can(user, 'edit_theme_options') || canEditSomething(site.access, user)
      ? null
      : { code: 'rest_cannot_view', message: `Sorry, you are not allowed to view ${what}.` };
}

const writer: TermWriter = {
  create: (call, input) => call.site.write((site) => planMenuCreate(site, inputOf(call, input))),
  update: (call, id, input) => call.site.write(() => planMenuUpdate(call.site, present(call, id), inputOf(call, input))),
  remove: (call, id) => call.site.write(() => planMenuDelete(present(call, id))),
};

function present(call: Call, id: number): MenuRecord {
  const menu = call.site.terms.get(id);
  if (menu?.taxonomy !== 'nav_menu') fail('rest_term_invalid');
  return inState(call, menu as MenuRecord);
}

/** The slug follows the name, whatever is sent (observed). Other input belongs to fields of modules. */
function inputOf({ params }: Call, { name, description, meta, slug: _slug, parent: _parent, ...added }: TermInput): MenuInput {
  const { locations, auto_add: autoAdd } = params as { locations?: readonly string[] | null; auto_add?: boolean | null };
  return {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(meta === undefined ? {} : { meta }),
    added,
    ...(locations ? { locations } : {}),
    ...(typeof autoAdd === 'boolean' ? { autoAdd } : {}),
  };
}

function menuLinks(menu: TermRecord, call: Call): RouteLinks {
  const held = createMenuView(call.site, (name) => name).locations(menu as MenuRecord);
  const locations = held.map((name) => ({ embeddable: true as const, href: `/cms/v2/menu-locations/${name}` }));
  return { ...termLinks(menu, call), ...(locations.length > 0 ? { 'cms:menu-location': locations } : {}) };
}
