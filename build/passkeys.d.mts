export function buildPasskeys(dir: string): Promise<readonly string[]>;
