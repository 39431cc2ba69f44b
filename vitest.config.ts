import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/seed.ts'],
    globalSetup: ['test/support/state.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
