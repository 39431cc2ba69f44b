/**
 * How much a request may bring.
 */

export interface BodyLimits {
  /** Of what is kept in memory: JSON, and all fields of a form. */
  readonly maxBytes: number;
  /** Of each file. */
  readonly maxUploadBytes: number;
  /** Nesting levels of JSON. */
  readonly maxDepth: number;
  /** Values in JSON: members, items, and what holds them. */
  readonly maxValues: number;
  /** Fields of a form. */
  readonly maxFields: number;
  /** Files of a multipart form; further ones are left out. */
  readonly maxFiles: number;
}

export const defaultLimits: BodyLimits = {
  maxBytes: 32 * 1024 * 1024,
  maxUploadBytes: 256 * 1024 * 1024,
  maxDepth: 128,
  maxValues: 50_000,
  maxFields: 1000,
  maxFiles: 20,
};
