export function copySampleSite(dir: string): void;
