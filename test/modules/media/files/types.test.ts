import { describe, expect, it } from 'vitest';
import { agrees, mimeOf, sniff } from '../../../../src/modules/media/files/types.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');

describe('sniff', () => {
  it.each([
    ['JPEG', '\xff\xd8\xff\xe0', 'image/jpeg'],
    ['PNG', '\x89PNG\r\n\x1a\n', 'image/png'],
    ['WebP', 'RIFF\0\0\0\0WEBPVP8 ', 'image/webp'],
    ['AVIF', '\0\0\0\x1cftypavif', 'image/avif'],
    ['HEIC', '\0\0\0\x18ftypheic', 'image/heic'],
    ['MP4', '\0\0\0\x18ftypisom', 'video/mp4'],
    ['MP3', '\xff\xfb\x90\0', 'audio/mpeg'],
    ['PDF', '%PDF-1.7', 'application/pdf'],
    ['SVG', '<?xml version="1.0"?>\n<!-- made -->\n<svg xmlns="http://www.w3.org/2000/svg">', 'image/svg+xml'],
    ['HTML', '\n<!DOCTYPE html><script>', 'text/html'],
    ['PHP', '<?php echo 1;', 'application/x-php'],
    ['a program', '\x7fELF', 'application/x-elf'],
    ['text', 'Hello, wörld', 'text/plain'],
    ['bytes', '\0\x01\x02\x03', null],
  ])('%s', (_, head, expected) => expect(sniff(bytes(head))).toBe(expected));
});

it.each([
  ['a.jpg', 'image/jpeg', true],
  ['a.jpg', 'text/plain', false],
  ['a.jpg', null, false],
  ['a.txt', 'text/plain', true],
  ['a.txt', 'text/html', false],
  ['a.csv', 'text/plain', true],
  ['a.pdf', 'application/pdf', true],
  ['a.pdf', 'text/plain', false],
  ['a.zip', 'image/png', false],
  ['a.docx', 'application/zip', true],
  ['a.mp4', 'video/quicktime', true],
  ['a.mp3', 'text/plain', false],
  ['a.svg', 'image/svg+xml', true],
  ['a.svg', 'text/plain', false],
])('%s may contain %s: %s', (name, found, expected) => expect(agrees(mimeOf(name) as string, found)).toBe(expected));

it.each(['a.php', 'a.html', 'a.js', 'a.exe', 'a.yaml', 'a', '.htaccess'])('%s is not media', (name) =>
  expect(mimeOf(name)).toBeNull(),
);
