// Names of the realm that mean the same in a thread of a plugin as in the server's process.

const language =
  'Object Array String Number Boolean Symbol BigInt Math Date JSON RegExp Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError ' +
  'Map Set WeakMap WeakSet WeakRef FinalizationRegistry Promise Proxy Reflect Intl Iterator ArrayBuffer SharedArrayBuffer DataView Atomics ' +
  'Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array Float32Array Float64Array BigInt64Array BigUint64Array ' +
  'undefined NaN Infinity isNaN isFinite parseInt parseFloat encodeURIComponent decodeURIComponent encodeURI decodeURI escape unescape';
const web =
  'Buffer URL URLSearchParams TextEncoder TextDecoder AbortController AbortSignal Event EventTarget CustomEvent DOMException structuredClone queueMicrotask ' +
  'setTimeout clearTimeout setInterval clearInterval setImmediate clearImmediate atob btoa console performance crypto Crypto CryptoKey SubtleCrypto ' +
  'Headers Request Response FormData Blob File ReadableStream WritableStream TransformStream TextDecoderStream TextEncoderStream CompressionStream ' +
  'DecompressionStream ByteLengthQueuingStrategy CountQueuingStrategy MessageChannel WebAssembly';
const ofProcess = 'platform arch version versions release hrtime nextTick';

const same = new Set([...language.split(' '), ...web.split(' '), ...ofProcess.split(' ').map((name) => `process.${name}`)]);
const ofCommonJs = new Set(['require', 'module', 'exports', '__dirname', '__filename']);

/** Why a plugin that uses this name runs in the process, as the end of a sentence. @param name with the member that it takes: `process.env` */
export function whyName(name: string, mayFetch: boolean): string | undefined {
  const bare = name.replace(/^(?:globalThis|global)\./, '');
  const [first = ''] = bare.split('.');
  if (same.has(bare) || same.has(first)) return undefined;
  if (first === 'fetch') return mayFetch ? undefined : 'uses fetch, and its manifest names no host that it may reach';
  if (bare.startsWith('process.env')) return 'reads the environment';
  if (first === 'eval' || first === 'Function') return 'runs texts as code';
  if (ofCommonJs.has(first)) return 'is written as CommonJS';
  return `uses '${bare}', which is the process's own`;
}
