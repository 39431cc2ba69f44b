/** A body the server cannot take in. The server answers with its status, whatever the route. */
export class BodyError extends Error {
  readonly status: 400 | 413 | 415 | 503;
  constructor(status: BodyError['status'], message: string) {
    super(message);
    this.status = status;
  }
}
