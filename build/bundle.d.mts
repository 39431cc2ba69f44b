export function build(dir: string, more?: readonly string[]): Promise<void>;
export function isStale(dir: string): boolean;
