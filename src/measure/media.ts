import { createRequire } from 'node:module';
import type { MediaKind } from '../model/conversation.ts';

/** What is known of a media block's content. */
export interface MediaData {
  /** Base64 of the bytes; only the first part of it is decoded. */
  readonly base64?: string;
  readonly url?: string;
  /** Media type, or the bare format name of Converse (`pdf`, `txt`). */
  readonly mime?: string;
  /** Decoded length. Without base64 and unless `mime` is application/pdf, the length of a document's text. */
  readonly bytes?: number;
  readonly pages?: number;
  /** OpenAI's `detail`: low costs a fixed number of tokens. */
  readonly detail?: string;
}

export interface MediaEstimate {
  readonly tokens: number;
  /** False when nothing could be read, and `tokens` is 0. */
  readonly known: boolean;
  /** Pixels, where the picture's header could be read. */
  readonly width?: number;
  readonly height?: number;
}

/** Whose formula an estimate follows. */
type MediaVendor = 'anthropic' | 'openai' | 'google' | 'other';

/** Bytes that hold an image's header with room to spare. */
const HEADER = 64 * 1024;
/** An average page: a guess, since pages can't be counted without reading the whole file. */
const PAGE_BYTES = 50_000;
/** A page costs 1,500 to 3,000 tokens (Anthropic, PDF guide). */
const PAGE_TOKENS = 2000;
const UNKNOWN: MediaEstimate = { tokens: 0, known: false };
const require = createRequire(import.meta.url);

/**
 * Tokens of a media block by the vendor's published formula from its dimensions; a document by pages or size.
 * Video and audio are unknown. Never throws, whatever the data.
 */
export function estimateMedia(
  kind: MediaKind,
  data: MediaData,
  vendor: MediaVendor,
): MediaEstimate {
  if (kind === 'document') return documentTokens(data);
  if (kind !== 'image') return UNKNOWN;
  const size = dimensions(data);
  if (vendor === 'openai' && data.detail === 'low') return { tokens: 85, known: true, ...size };
  if (size === undefined) return UNKNOWN;
  return { tokens: IMAGE_TOKENS[vendor](size), known: true, ...size };
}

interface Size {
  readonly width: number;
  readonly height: number;
}

const IMAGE_TOKENS: Readonly<Record<MediaVendor, (size: Size) => number>> = {
  anthropic: anthropicImage,
  other: anthropicImage,
  openai: openaiImage,
  google: googleImage,
};

/** width x height / 750 after scaling to a long edge of 1,568 and 1.15 megapixels (Anthropic, vision guide). */
function anthropicImage({ width, height }: Size): number {
  const edge = Math.min(1, 1568 / Math.max(width, height));
  const pixels = Math.min(width * edge * height * edge, 1_150_000);
  return Math.max(1, Math.ceil(pixels / 750));
}

/** 85 + 170 for each 512 px tile, scaled into 2,048 px and to a short side of 768 (OpenAI, images guide). */
function openaiImage({ width, height }: Size): number {
  const fit = Math.min(1, 2048 / Math.max(width, height));
  const short = Math.min(1, 768 / Math.min(width * fit, height * fit));
  return 85 + 170 * tiles(width * fit * short, 512) * tiles(height * fit * short, 512);
}

/**
 * 258 for a small image, else for each 768 px tile, scaled into 3,072 px (Google, Gemini token guide): without
 * the scaling a broken header would make any figure.
 */
function googleImage({ width, height }: Size): number {
  if (width <= 384 && height <= 384) return 258;
  const fit = Math.min(1, 3072 / Math.max(width, height));
  return 258 * tiles(width * fit, 768) * tiles(height * fit, 768);
}

/** Tiles along a side. A scaled side is whole pixels: its rounding error must not cost a tile. */
function tiles(side: number, tile: number): number {
  return Math.max(1, Math.ceil(Math.round(side) / tile));
}

function documentTokens(data: MediaData): MediaEstimate {
  const { pages } = data;
  if (isCount(pages)) return { tokens: Math.ceil(pages) * PAGE_TOKENS, known: true };
  const bytes = data.bytes ?? decodedLength(data.base64);
  if (bytes === undefined || !Number.isFinite(bytes) || bytes < 0) return UNKNOWN;
  if (isPlain(data)) return { tokens: Math.ceil(bytes / 4), known: true };
  return { tokens: Math.max(1, Math.round(bytes / PAGE_BYTES)) * PAGE_TOKENS, known: true };
}

function isCount(value: number | undefined): value is number {
  return value !== undefined && Number.isFinite(value) && value > 0;
}

function isPlain({ base64, mime = '' }: MediaData): boolean {
  // Converse names a format even where the source is text.
  if (base64 === undefined && !/^application\/pdf/i.test(mime)) return true;
  return /^(?:text\/|application\/(?:json|xml)|(?:txt|md|csv|html|json|xml)$)/i.test(mime);
}

/** Bytes that base64 of this length stands for. */
function decodedLength(base64: string | undefined): number | undefined {
  if (base64 === undefined || base64 === '') return undefined;
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return Math.floor(((base64.length - padding) * 3) / 4);
}

function dimensions({ base64 }: MediaData): Size | undefined {
  if (base64 === undefined || base64 === '') return undefined;
  try {
    // Loaded here: it costs more than the rest of a short run, and few transcripts hold pictures.
    const { imageSize } = require('image-size') as typeof import('image-size');
    const characters = Math.ceil(HEADER / 3) * 4;
    const { width, height } = imageSize(Buffer.from(base64.slice(0, characters), 'base64'));
    return isCount(width) && isCount(height) ? { width, height } : undefined;
  } catch {
    return undefined;
  }
}
