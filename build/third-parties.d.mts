export function thirdParties(ids: readonly string[], root: string): string;
