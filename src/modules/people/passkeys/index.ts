export { type PasskeyAnswer, type Asked, createPasskeys, type Passkeys } from './passkeys.ts';
