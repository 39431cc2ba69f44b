export { type Answer, type Asked, createPasskeys, type Passkeys } from './passkeys.ts';
