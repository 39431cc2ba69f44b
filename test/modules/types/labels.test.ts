import { describe, expect, it } from 'vitest';
import { taxonomyLabels, typeLabels } from '../../../src/modules/types/labels.ts';

// Recorded in types-taxonomies-statuses.json, edit context.
const ofTypes = `name singular_name add_new add_new_item edit_item new_item view_item view_items search_items not_found
  not_found_in_trash parent_item_colon all_items archives attributes insert_into_item uploaded_to_this_item featured_image
  set_featured_image remove_featured_image use_featured_image filter_items_list filter_by_date items_list_navigation items_list
  item_published item_published_privately item_reverted_to_draft item_trashed item_scheduled item_updated item_link
  item_link_description menu_name name_admin_bar`;
const ofTaxonomies = `name singular_name search_items popular_items all_items parent_item parent_item_colon
  name_field_description slug_field_description parent_field_description desc_field_description edit_item view_item update_item
  add_new_item new_item_name separate_items_with_commas add_or_remove_items choose_from_most_used not_found no_terms
  filter_by_item items_list_navigation items_list most_used back_to_items item_link item_link_description menu_name
  name_admin_bar template_name`;

const faces = { plural: 'Font Faces', singular: 'Font Face' };

describe('labels', () => {
  it('have the recorded keys', () => {
    expect(Object.keys(typeLabels({ ...faces, hierarchical: true }))).toEqual(ofTypes.split(/\s+/));
    expect(Object.keys(taxonomyLabels({ ...faces, hierarchical: true }))).toEqual(ofTaxonomies.split(/\s+/));
  });

  it('insert names into sentences', () => {
    expect(typeLabels({ ...faces, hierarchical: false })).toMatchObject({
      name: 'Font Faces',
      edit_item: 'Edit font face',
      item_updated: 'Font Face is updated.',
      parent_item_colon: null,
    });
    expect(typeLabels({ plural: 'FAQs', singular: 'FAQ', hierarchical: true })).toMatchObject({
      view_items: 'View FAQs',
      parent_item_colon: 'Parent FAQ:',
    });
  });

  it('omit parents in a flat taxonomy and tag clouds in a hierarchy', () => {
    expect(taxonomyLabels({ ...faces, hierarchical: false })).toMatchObject({
      parent_item: null,
      popular_items: expect.any(String),
    });
    expect(taxonomyLabels({ ...faces, hierarchical: true })).toMatchObject({
      parent_item: expect.any(String),
      popular_items: null,
    });
  });

  it('can be replaced by a declaration', () => {
    expect(typeLabels({ ...faces, hierarchical: false }, { add_new: 'Draw a face' }).add_new).toBe('Draw a face');
  });
});
