import { row } from '../../../kernel/errors.ts';

export const abilityErrors = {
  ability_invalid_input: row(400, 'The input does not fit the ability.'),
  ability_missing_input_schema: row(400, 'The ability takes no input.'),
  rest_ability_cannot_execute: row('auth', 'Sorry, you are not allowed to execute this ability.'),
  rest_ability_category_not_found: row(404, 'Ability category not found.'),
  rest_ability_invalid_method: row(405, 'The ability is run with another method.'),
  rest_ability_not_found: row(404, 'Ability not found.'),
};

declare module '../../../kernel/errors.ts' {
  interface ModuleErrors extends Record<keyof typeof abilityErrors, ErrorRow> {}
}
