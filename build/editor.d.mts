export function buildEditor(dir: string): Promise<readonly string[]>;
