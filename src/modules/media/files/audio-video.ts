/**
 * Duration and dimensions of audio and video: MP4 and QuickTime, WAV, and MP3 of constant bit rate. Unknown values are omitted; nothing here fails.
 *
 * Source: ISO/IEC 14496-12 (boxes), RIFF WAVE, MPEG audio frame headers; names of keys as the reference prints them.
 */
import { open } from 'node:fs/promises';
import type { ImageSource } from './image.ts';

export interface AudioVideo {
  readonly fileformat?: string;
  readonly dataformat?: string;
  /** Seconds, rounded. */
  readonly length?: number;
  /** `1:05`, `1:02:03`. */
  readonly length_formatted?: string;
  readonly width?: number;
  readonly height?: number;
  readonly bitrate?: number;
  readonly sample_rate?: number;
  readonly channels?: number;
}

interface Reader {
  readonly size: number;
  read(at: number, length: number): Promise<Buffer>;
}

const maxBoxes = 1000;

export async function readAudioVideo(source: ImageSource, mime: string): Promise<AudioVideo> {
  if (typeof source !== 'string') return describe(memoryReader(source), mime).catch(() => ({}));
  const file = await open(source, 'r').catch(() => null);
  if (!file) return {};
  try {
    const { size } = await file.stat();
    const read = async (at: number, length: number): Promise<Buffer> => {
      const buffer = Buffer.alloc(Math.max(0, Math.min(length, size - at)));
      const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
      return buffer.subarray(0, bytesRead);
    };
    return await describe({ size, read }, mime).catch(() => ({}));
  } finally {
    await file.close();
  }
}

async function describe(reader: Reader, mime: string): Promise<AudioVideo> {
  const head = await reader.read(0, 64);
  if (head.subarray(4, 8).toString('latin1') === 'ftyp') return readBoxes(reader, mime);
  if (head.subarray(0, 4).toString('latin1') === 'RIFF' && head.subarray(8, 12).toString('latin1') === 'WAVE')
    return readWave(reader);
  return mime === 'audio/mpeg' ? readMp3(reader) : {};
}

/** Walks the boxes of an MP4 file down to the movie and track headers. */
async function readBoxes(reader: Reader, mime: string): Promise<AudioVideo> {
  let seconds = 0;
  let [width, height] = [0, 0];
  let boxes = 0;
  const walk = async (from: number, to: number): Promise<void> => {
    for (let at = from; at + 8 <= to && boxes++ < maxBoxes; ) {
      const head = await reader.read(at, 16);
      if (head.length < 8) return;
      const type = head.subarray(4, 8).toString('latin1');
      const short = head.readUInt32BE(0);
      const size = short === 1 && head.length === 16 ? Number(head.readBigUInt64BE(8)) : short === 0 ? to - at : short;
      if (size < 8) return;
      const body = at + (short === 1 ? 16 : 8);
      if (type === 'moov' || type === 'trak') await walk(body, Math.min(to, at + size));
      if (type === 'mvhd') {
        const data = await reader.read(body, 32);
        const isLong = data[0] === 1;
        const scale = data.readUInt32BE(isLong ? 20 : 12);
        const duration = isLong ? Number(data.readBigUInt64BE(24)) : data.readUInt32BE(16);
        if (scale > 0) seconds = duration / scale;
      }
      if (type === 'tkhd') {
        const data = await reader.read(body, 96);
        const end = data[0] === 1 ? 88 : 76;
        if (data.length >= end + 8 && width === 0) [width, height] = [data.readUInt16BE(end), data.readUInt16BE(end + 4)];
      }
      at += size;
    }
  };
  await walk(0, reader.size);
  const isVideo = mime.startsWith('video/');
  return {
    ...lengthOf(seconds),
    ...(isVideo && width > 0 && height > 0 ? { width, height } : {}),
    fileformat: 'mp4',
    dataformat: mime === 'video/quicktime' ? 'quicktime' : 'mp4',
  };
}

async function readWave(reader: Reader): Promise<AudioVideo> {
  let rate = 0;
  let format: AudioVideo = {};
  for (let at = 12, chunks = 0; at + 8 <= reader.size && chunks < 100; chunks++) {
    const head = await reader.read(at, 24);
    if (head.length < 8) break;
    const type = head.subarray(0, 4).toString('latin1');
    const size = head.readUInt32LE(4);
    if (type === 'fmt ' && head.length >= 24) {
      rate = head.readUInt32LE(16);
      format = { channels: head.readUInt16LE(10), sample_rate: head.readUInt32LE(12), bitrate: rate * 8 };
    }
    if (type === 'data' && rate > 0) {
      return { ...format, ...lengthOf(Math.min(size, reader.size - at - 8) / rate), fileformat: 'wav', dataformat: 'wav' };
    }
    at += 8 + size + (size % 2);
  }
  return {};
}

const rates = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const sampleRates = [44100, 48000, 32000];

/** By the first frame of MPEG 1 layer III: right for constant bit rate. */
async function readMp3(reader: Reader): Promise<AudioVideo> {
  const tag = await reader.read(0, 10);
  const isTagged = tag.subarray(0, 3).toString('latin1') === 'ID3';
  const skip = isTagged
    ? 10 + (((tag[6] as number) << 21) | ((tag[7] as number) << 14) | ((tag[8] as number) << 7) | (tag[9] as number))
    : 0;
  const frame = await reader.read(skip, 4);
  if (frame.length < 4 || frame[0] !== 0xff || ((frame[1] as number) & 0xfe) !== 0xfa) return {};
  const bitrate = (rates[(frame[2] as number) >> 4] ?? 0) * 1000;
  const rate = sampleRates[((frame[2] as number) >> 2) & 3];
  if (bitrate === 0 || rate === undefined) return {};
  const channels = (frame[3] as number) >> 6 === 3 ? 1 : 2;
  return {
    ...lengthOf(((reader.size - skip) * 8) / bitrate),
    bitrate,
    sample_rate: rate,
    channels,
    fileformat: 'mp3',
    dataformat: 'mp3',
  };
}

function lengthOf(seconds: number): AudioVideo {
  const length = Math.round(seconds);
  if (!(length > 0) || length > 1e7) return {};
  const [hours, minutes, rest] = [Math.floor(length / 3600), Math.floor(length / 60) % 60, String(length % 60).padStart(2, '0')];
  return { length, length_formatted: hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}` };
}

function memoryReader(bytes: Uint8Array): Reader {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return { size: bytes.length, read: async (at, length) => buffer.subarray(at, at + length) };
}
