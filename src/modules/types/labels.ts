/**
 * The labels of a type or taxonomy, derived from its plural and singular name.
 *
 * The keys are the contract (observed in the edit context of /types and /taxonomies); the sentences are our own. Null marks labels that do not apply
 * to a flat (or hierarchical) thing. A declaration may replace single labels.
 */

export type Labels = Readonly<Record<string, string | null>>;

interface Named {
  /** Capitalized: `Posts`, `Post`. */
  readonly plural: string;
  readonly singular: string;
  readonly hierarchical: boolean;
}

export function typeLabels({ plural, singular, hierarchical }: Named, own: Labels = {}): Labels {
  const [many, one] = [inSentence(plural), inSentence(singular)];
  return {
    name: plural,
    singular_name: singular,
    add_new: `Add ${one}`,
    add_new_item: `Add ${one}`,
    edit_item: `Edit ${one}`,
    new_item: `New ${one}`,
    view_item: `View ${one}`,
    view_items: `View ${many}`,
    search_items: `Search ${many}`,
    not_found: `There are no ${many}.`,
    not_found_in_trash: `There are no ${many} in the trash.`,
    parent_item_colon: hierarchical ? `Parent ${one}:` : null,
    all_items: `All ${many}`,
    archives: `Archive of ${many}`,
    attributes: `Attributes of the ${one}`,
    insert_into_item: `Insert into the ${one}`,
    uploaded_to_this_item: `Uploaded to this ${one}`,
    featured_image: 'Featured image',
    set_featured_image: 'Choose featured image',
    remove_featured_image: 'Remove the featured image',
    use_featured_image: 'Make it the featured image',
    filter_items_list: `Filter ${many}`,
    filter_by_date: 'Filter by date',
    items_list_navigation: `Pages of ${many}`,
    items_list: `List of ${many}`,
    item_published: `${singular} is published.`,
    item_published_privately: `${singular} is published privately.`,
    item_reverted_to_draft: `${singular} is a draft again.`,
    item_trashed: `${singular} is in the trash.`,
    item_scheduled: `${singular} is scheduled.`,
    item_updated: `${singular} is updated.`,
    item_link: `${singular} link`,
    item_link_description: `Links to one of the ${many}.`,
    menu_name: plural,
    name_admin_bar: singular,
    ...own,
  };
}

export function taxonomyLabels({ plural, singular, hierarchical }: Named, own: Labels = {}): Labels {
  const [many, one] = [inSentence(plural), inSentence(singular)];
  const tree = (text: string): string | null => (hierarchical ? text : null);
  const flat = (text: string): string | null => (hierarchical ? null : text);
  return {
    name: plural,
    singular_name: singular,
    search_items: `Search ${many}`,
    popular_items: flat(`Often used ${many}`),
    all_items: `All ${many}`,
    parent_item: tree(`Parent ${one}`),
    parent_item_colon: tree(`Parent ${one}:`),
    name_field_description: 'How it is called on the site.',
    slug_field_description: 'Its name in addresses: small letters, digits and hyphens.',
    parent_field_description: tree('What it belongs under, to make a tree.'),
    desc_field_description: 'Whether it is shown depends on the design of the site.',
    edit_item: `Edit ${one}`,
    view_item: `View ${one}`,
    update_item: `Update ${one}`,
    add_new_item: `Add ${one}`,
    new_item_name: `Name of the new ${one}`,
    separate_items_with_commas: flat(`Put commas between ${many}`),
    add_or_remove_items: flat(`Add or remove ${many}`),
    choose_from_most_used: flat(`Choose among often used ${many}`),
    not_found: `There are no ${many}.`,
    no_terms: `No ${many}`,
    filter_by_item: tree(`Filter by ${one}`),
    items_list_navigation: `Pages of ${many}`,
    items_list: `List of ${many}`,
    most_used: 'Often used',
    back_to_items: `← Back to ${many}`,
    item_link: `${singular} link`,
    item_link_description: `Links to one of the ${many}.`,
    menu_name: plural,
    name_admin_bar: singular,
    template_name: `Archive of one ${one}`,
    ...own,
  };
}

/** A name within a sentence: `Font Faces` → `font faces`; words like FAQ stay. */
function inSentence(name: string): string {
  return name.replace(/\b\p{Lu}(?=\p{Ll})/gu, (letter) => letter.toLowerCase());
}
