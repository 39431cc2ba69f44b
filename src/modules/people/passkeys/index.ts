export { type Asked, createPasskeys, type Passkeys } from './passkeys.ts';
