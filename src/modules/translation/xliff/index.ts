/**
 * XLIFF, written and read: what other modules may use of it.
 */
export { readXliff } from './read.ts';
export { writeXliff } from './write.ts';
