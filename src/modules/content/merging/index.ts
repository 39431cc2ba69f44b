/** Content files that two sides have changed, merged: for git's merge driver, and for a node that follows a remote. */
export { type Merge, mergeEntry, type Versions } from './entry.ts';
export { MergeError, mergeLines } from './lines.ts';
