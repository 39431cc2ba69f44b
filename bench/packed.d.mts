export function pack(folder: string): Promise<string>;
export function install(tarball: string, folder: string, env?: Readonly<Record<string, string | undefined>>): Promise<string>;
