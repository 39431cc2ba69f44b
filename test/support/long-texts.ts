/**
 * Texts that cost too much where a pattern goes back and forth: a quarter of a megabyte of one unit takes milliseconds where work is
 * linear, and many seconds where it is not. Time is that of the process, whatever else the machine does.
 */
export const longBytes = 250_000;
export const maxLongMs = 2500;

export const long = (unit: string, bytes = longBytes): string => unit.repeat(Math.ceil(bytes / unit.length));

/** Milliseconds of the processor that work takes. */
export async function cpuMs(work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
