/** The pages on security and durability promise nothing without naming the test that shows it. */
import { describePromises } from './support/promises.ts';

await describePromises('docs/security.md', 41);
await describePromises('docs/durability.md', 20);
