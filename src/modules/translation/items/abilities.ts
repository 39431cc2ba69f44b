/**
 * What is translated and what is not, as an ability.
 */
import { type Ability, closed, cursor, next, pageOf, reads, text, typed } from '../../api/abilities/record.ts';
import { pairStates, translationOverview } from './overview.ts';

interface Input {
  readonly to?: string;
  readonly type?: string;
  readonly state?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

export const translationAbility: Ability = {
  name: 'cms/translations',
  label: 'Translation status',
  description: 'Counts translations by state, and lists originals with each language that is missing, outdated or in work.',
  category: 'content',
  input: {
    ...closed({
      to: text('Code of one language.'),
      type: text('One type or taxonomy.'),
      state: text('Only pairs in this state; all that are not translated by default.', { enum: pairStates }),
      limit: typed('integer', 'How many pairs at most.', { minimum: 1, maximum: 200, default: 50 }),
      cursor,
    }),
    default: {},
  },
  output: closed({
    counts: typed('object', 'Pairs by state.', { additionalProperties: { type: 'integer' } }),
    pairs: {
      type: 'array',
      items: typed('object', 'Item, type, path, title, target, state, job.', { additionalProperties: true }),
    },
    next,
  }),
  annotations: reads,
  may: (site, actor) => site.access.can(actor, 'edit_others_posts'),
  async run({ site }, input) {
    const { to, type, state, limit = 50, cursor: sent } = (input ?? {}) as Input;
    const targets = to === undefined ? undefined : [to];
    const all = translationOverview(site, targets).filter((pair) => type === undefined || pair.type === type);
    const counts = Object.fromEntries(pairStates.map((one) => [one, all.filter((pair) => pair.state === one).length]));
    const wanted = all.filter((pair) => (state === undefined ? pair.state !== 'translated' : pair.state === state));
    const [pairs, following] = pageOf(wanted, sent, limit);
    return { counts, pairs, ...following };
  },
};
