import { expect, test } from 'vitest';
import { faultOfError, faultOfReply } from '../../../../plugins/models/provider-fault.ts';

const error = (message: string, more: object = {}): string => JSON.stringify({ error: { message, ...more } });

test.each<[said: string, window?: number | undefined, used?: number | undefined, status?: number | undefined, more?: object]>([
  [
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 138344 tokens.",
    128_000,
    138_344,
    undefined,
    { code: 'context_length_exceeded' },
  ],
  [
    "This model's maximum context length is 8192 tokens. However, you requested 24344 tokens (8344 in the messages, 16000 in the completion). Please reduce the length of the messages or completion.",
    8_192,
    8_344,
  ],
  [
    "This endpoint's maximum context length is 131072 tokens. However, you requested about 150,000 tokens (120000 of text input, 14000 of tool input, 16000 in the output).",
    131_072,
    134_000,
  ],
  [
    "'max_tokens' or 'max_completion_tokens' is too large: 16000. This model's maximum context length is 8192 tokens and your request has 500 input tokens (16000 > 8192 - 500).",
    8_192,
    500,
  ],
  [
    JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message: 'prompt is too long: 208310 tokens > 200000 maximum' } }),
    200_000,
    208_310,
  ],
  [
    JSON.stringify({
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: 'input length and `max_tokens` exceed context limit: 190000 + 16000 > 200000, decrease input length or `max_tokens` and try again',
      },
    }),
    200_000,
    190_000,
  ],
  [
    JSON.stringify([
      { error: { code: 400, message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).', status: 'INVALID_ARGUMENT' } },
    ]),
    1_048_576,
    1_200_000,
  ],
  ["This model's maximum prompt length is 131072 but the request contains 140000 tokens.", 131_072, 140_000],
  [
    JSON.stringify({
      error: {
        code: 400,
        message: 'the request exceeds the available context size, try increasing it',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 5_000,
        n_ctx: 4_096,
      },
    }),
    4_096,
    5_000,
  ],
  ['Prompt contains 40000 tokens, too large for model with 32768 maximum context length', 32_768, 40_000],
  ['Invalid request: Your request exceeded model token limit: 131072', 131_072],
  ['prompt token count of 50000 exceeds the limit of 40000', 40_000, 50_000, undefined, { code: 'model_max_prompt_tokens_exceeded' }],
  ['Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4097. Given: 5000 `inputs` tokens and 1000 `max_new_tokens`', 4_097, 5_000, 422],
  ['Request too large for model `x` on tokens per minute (TPM): Limit 6000, Requested 8000', undefined, undefined, 413, { code: 'rate_limit_exceeded' }],
  ['Prompt exceeds max length', undefined, undefined, undefined, { code: '1261' }],
  ['tokens in request more than max tokens allowed', undefined, undefined, undefined, { code: '1210' }],
  ['Range of input length should be [1, 129024]', 129_024],
  ['Input length 140000 exceeds maximum allowed token size 131072', 131_072, 140_000],
  ['Too much.', undefined, undefined, undefined, { code: 'input_tokens_limit_exceeded' }],
  ['Content too large'],
  ['Request payload size exceeds the limit: 10485760 bytes.'],
  ['Input is too long for requested model.'],
  ['<html>Request Entity Too Large</html>', undefined, undefined, 413],
])('a reply with the error %s is a context overflow', (said, window, used, status = 400, more = {}) => {
  expect(faultOfReply(status, /^[{[<]/.test(said) ? said : error(said, more), null, 0)).toMatchObject({
    kind: 'overflow',
    overflow: { ...(window === undefined ? {} : { window }), ...(used === undefined ? {} : { used }) },
  });
});

test('an overflow error within a stream is detected too', () => {
  const said = { error: { code: 'context_length_exceeded', message: "This model's maximum context length is 4096 tokens." } };
  expect(faultOfError(said)).toMatchObject({ kind: 'overflow', overflow: { window: 4_096 } });
});

test.each([
  [400, error('Invalid value for temperature: must be <= 2'), 'refused'],
  [400, error('max_tokens is too large: 16000. This model supports at most 4096 completion tokens.'), 'refused'],
  [404, error('The model `x` does not exist'), 'refused'],
  [429, error('Rate limit reached: Limit 30000, Requested 40000'), 'rate_limit'],
  [504, error('The request took too long; context deadline exceeded'), 'transient'],
  [402, error('This request needs more credits: your prompt is too long for them'), 'budget'],
])('a reply %i with the error %s is another kind of fault', (status, body, kind) => {
  expect(faultOfReply(status, body, null, 0).kind).toBe(kind);
});
