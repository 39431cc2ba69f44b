export { createPeople, isSubject, type NoAccount } from './person.ts';
export { type Checks, createProvider, ProviderError } from './provider.ts';
export { type OpenIdSettings, readOpenId } from './settings.ts';
