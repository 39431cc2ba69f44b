export function faults(): string[];
export function focused(): { name: string; isSeen: boolean } | null;
export function leadAway(address: string): void;
export function askAsEditor(): Promise<{ named: number; unnamed: number }>;
export function showAll(texts: readonly string[]): Promise<string[]>;
export function computed(asked: readonly [selector: string, names: readonly string[]]): string[];
export function boxes(selector: string): number[][];
