/** Strings that files show without quotes where possible: dates. */
export class PlainText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Marks a date or date and time to be printed plain: `date: 2026-03-05T10:00:00`. */
export function plain(text: string): PlainText {
  return new PlainText(text);
}
