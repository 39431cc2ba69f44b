/** Content without anything active in what the API answers, where the operator wants that (`filter_content`). Pages filter their own. */
import type { Module } from '../../../kernel/module.ts';
import type { Service } from '../../../kernel/site/hooks.ts';
import { dataWithoutActive } from '../../../render/active.ts';

export const filteredContent: Module = {
  name: 'filtered-content',
  setup: ({ operator }) => (operator.filter_content ? { outgoing } : {}),
};

const outgoing: Service['outgoing'] = (data, { user, context }) =>
  dataWithoutActive(data, user === null ? 'visitor' : context === 'edit' ? 'editor' : 'user');
