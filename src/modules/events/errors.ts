import { later } from '../../kernel/errors.ts';

export const eventErrors = {
  rest_too_many_streams: later(429, 10, 'Too many open event streams. Please try again later.'),
};

declare module '../../kernel/errors.ts' {
  interface ModuleErrors extends Record<keyof typeof eventErrors, ErrorRow> {}
}
