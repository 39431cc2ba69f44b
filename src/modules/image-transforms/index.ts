/**
 * Pictures in other sizes and formats on demand: signatures of their addresses.
 */
export { makeKey, signed } from './signature.ts';
