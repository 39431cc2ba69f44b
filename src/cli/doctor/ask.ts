/** Requests of the doctor. */
const timeoutMs = 10_000;

/** Is not led elsewhere. @returns the reason where there is no answer */
export function ask(address: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response | Error> {
  return fetch(address, { method, headers, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) }).catch(
    (error: unknown) => {
      const { cause } = error as Error;
      return cause instanceof Error ? cause : (error as Error);
    },
  );
}
