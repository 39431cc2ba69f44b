import { expect, it } from 'vitest';
import { readAudioVideo } from '../../../../src/modules/media/files/audio-video.ts';

const box = (type: string, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length + 8);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
};
const words = (length: number, values: Readonly<Record<number, number>>): Buffer => {
  const buffer = Buffer.alloc(length);
  for (const [at, value] of Object.entries(values)) buffer.writeUInt32BE(value, Number(at));
  return buffer;
};

const film = Buffer.concat([
  box('ftyp', Buffer.from('isom\0\0\0\0')),
  box(
    'moov',
    box('mvhd', words(100, { 12: 1000, 16: 65_400 })),
    box('trak', box('tkhd', words(84, { 76: 640 << 16, 80: 360 << 16 }))),
  ),
]);
const wave = Buffer.concat([
  Buffer.from('RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x02\0', 'latin1'),
  words(12, {}).fill(0),
  Buffer.from('data', 'latin1'),
]);
wave.writeUInt32LE(44_100, 24);
wave.writeUInt32LE(176_400, 28);

it.each([
  [
    'an MP4',
    film,
    'video/mp4',
    { length: 65, length_formatted: '1:05', width: 640, height: 360, fileformat: 'mp4', dataformat: 'mp4' },
  ],
  [
    'a WAV',
    Buffer.concat([wave, Buffer.from([0x20, 0x62, 0x05, 0]), Buffer.alloc(352_800)]),
    'audio/wav',
    {
      length: 2,
      length_formatted: '0:02',
      channels: 2,
      sample_rate: 44_100,
      bitrate: 1_411_200,
      fileformat: 'wav',
      dataformat: 'wav',
    },
  ],
  [
    'an MP3',
    Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x00]), Buffer.alloc(16_000 * 3)]),
    'audio/mpeg',
    {
      length: 3,
      length_formatted: '0:03',
      bitrate: 128_000,
      sample_rate: 44_100,
      channels: 2,
      fileformat: 'mp3',
      dataformat: 'mp3',
    },
  ],
  ['nothing known', Buffer.from('OggS'), 'audio/ogg', {}],
  [
    'a box without end',
    Buffer.from('\0\0\0\x08ftyp\0\0\0\0moov', 'latin1'),
    'video/mp4',
    { fileformat: 'mp4', dataformat: 'mp4' },
  ],
])('%s', async (_, bytes, mime, expected) => expect(await readAudioVideo(bytes, mime)).toEqual(expected));
