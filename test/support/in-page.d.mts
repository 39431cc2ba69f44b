export function faults(): string[];
export function focused(): { name: string; isSeen: boolean } | null;
