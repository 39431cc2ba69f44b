import type { Module } from '../../../kernel/module.ts';
import { createSessions } from './sessions.ts';

export { cookieIn, cookieName, printCookie } from './cookie.ts';
export { isNonceOf, nonceOf } from './nonce.ts';

export const sessions: Module = {
  name: 'sessions',
  setup: (site) => ({ site: { sessions: createSessions(site) } }),
};
