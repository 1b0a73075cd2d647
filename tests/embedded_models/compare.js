// Runs two models on the same inputs and compares all outputs, bit for bit.
//
//   node compare.js ORIGINAL.onnx EMBEDDED.onnx
//
// Exit code: 0 the same; 1 not; 77 where the original does not run (no input to
// be guessed, an operator that is not there).
'use strict';
const ort = require('onnxruntime-node');

// Free dimensions get this size.
const FREE = 2;

const kinds = {
  float32: Float32Array, float64: Float64Array, int8: Int8Array,
  uint8: Uint8Array, int16: Int16Array, uint16: Uint16Array,
  int32: Int32Array, uint32: Uint32Array, int64: BigInt64Array,
  uint64: BigUint64Array, bool: Uint8Array, float16: Uint16Array,
};

function makeInput(meta) {
  const dims = meta.shape.map((d) => (typeof d === 'number' && d >= 0 ? d : FREE));
  const count = dims.reduce((a, b) => a * b, 1);
  if (meta.type === 'string') return new ort.Tensor('string', Array(count).fill(''), dims);
  const data = new kinds[meta.type](count);
  const big = meta.type === 'int64' || meta.type === 'uint64';
  for (let i = 0; i < count; ++i) {
    const small = meta.type.startsWith('float') ? (i % 97) * 0.01 - 0.4 : i % 2;
    data[i] = big ? BigInt(small) : meta.type === 'float16' ? 0x3c00 : small;
  }
  return new ort.Tensor(meta.type, data, dims);
}

async function run(path) {
  const session = await ort.InferenceSession.create(path, {logSeverityLevel: 4});
  const feeds = {};
  for (const meta of session.inputMetadata) {
    if (!meta.isTensor) throw new Error(`input ${meta.name} is no tensor`);
    feeds[meta.name] = makeInput(meta);
  }
  return session.run(feeds);
}

function same(a, b) {
  if (a.type !== b.type || a.dims.join() !== b.dims.join()) return false;
  if (a.type === 'string') return a.data.join('\0') === b.data.join('\0');
  const bytes = (t) => Buffer.from(t.data.buffer, t.data.byteOffset, t.data.byteLength);
  return bytes(a).equals(bytes(b));
}

function allSame(before, after) {
  const names = Object.keys(before);
  return names.join() === Object.keys(after).join() &&
      names.every((name) => same(before[name], after[name]));
}

async function main() {
  const [original, embedded] = process.argv.slice(2);
  let before;
  try {
    before = await run(original);
  } catch (error) {
    console.log(`skipped: ${String(error.message).split('\n')[0]}`);
    return 77;
  }
  // Some models draw random numbers or read what nobody wrote.
  if (!allSame(before, await run(original))) {
    console.log('skipped: other outputs in each run');
    return 77;
  }
  return allSame(before, await run(embedded)) ? 0 : 1;
}

main().then((code) => process.exit(code), (error) => {
  console.error(error.message);
  process.exit(1);
});
