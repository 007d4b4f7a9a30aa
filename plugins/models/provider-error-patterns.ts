// Defines patterns for the wording of provider errors. `test/unit/plugins/models/{overflow,refusals}.test.ts` names their sources.
import type { ModelFaultKind, RequestPart } from './contract.ts';

/** Matches errors about a request that is longer than the model's limit. */
export const overflowWords: readonly RegExp[] = [
  /context_length_exceeded|exceed_context_size|context_window_exceeded|request_too_large|string_above_max_length|input_tokens_limit_exceeded/i,
  /(?:maximum|available|max) context|context (?:length|window|size|limit)|maximum prompt length/i,
  /\b(?:prompt|input|request|messages?|conversation|content)(?: is| are| was)? too (?:long|large)/i,
  /input token count|too many (?:input |prompt )?tokens|reduce the length of|model token limit|`?inputs`? tokens \+/i,
  /tokens?\b[^.]{0,60}\bexceeds? the (?:limit|maximum)/i,
  /prompt exceeds max length|tokens in request more than max tokens|range of input length|input length \d+ exceeds|exceeds maximum allowed token/i,
  /(?:payload|body|request)(?: size)?(?: is)? (?:too large|exceeds)|size of the (?:payload|request)/i,
];

/** Matches throttling errors that mention tokens, which are not overflows. */
export const throttleWords = /too many tokens, please wait|rate_limit_exceeded|tokens per (?:minute|day)|\b[tr]pm\b/i;

/** Patterns of the context window in tokens; the first match is used. */
export const windowFigures: readonly RegExp[] = [
  /maximum (?:context|prompt) length (?:is|of) (?:only )?([\d,]+)/i,
  /([\d,]+) (?:tokens? )?maximum context length/i,
  /> ([\d,]+) maximum/i,
  /context limit: [\d,]+ \+ [\d,]+ > ([\d,]+)/i,
  /maximum number of tokens allowed \(?([\d,]+)/i,
  /maximum allowed token size \(?([\d,]+)/i,
  /range of input length should be \[\d+, ?([\d,]+)\]/i,
  /model token limit:? \(?([\d,]+)/i,
  /context (?:size|window|length|limit)(?: of| is)?:? \(?([\d,]+)/i,
  /exceeds? the (?:limit|maximum) (?:of )?\(?([\d,]+)(?! ?bytes)/i,
  /must be <= ?([\d,]+)/i,
  /\blimit:? ([\d,]+)/i,
];

/** Patterns of the request's size in tokens. */
export const usedFigures: readonly RegExp[] = [
  /resulted in ([\d,]+) tokens/i,
  /(?:has|contains) (?:at least )?([\d,]+) (?:input |prompt )?tokens/i,
  /prompt is too long: ([\d,]+)/i,
  /input length ([\d,]+) exceeds/i,
  /input token count \(?([\d,]+)/i,
  /context limit: ([\d,]+)/i,
  /token count of ([\d,]+)/i,
  /given: ([\d,]+)/i,
  /request \(([\d,]+) tokens\)/i,
];

/** Patterns of the maximum reply length in tokens. */
export const replyLimits: readonly RegExp[] = [
  /supports? at most ([\d,]+) (?:completion|output) tokens/i,
  /max(?:imum)?[_ ](?:completion_|output_|new_)?tokens[^.]{0,80}(?:at most|less than or equal to|<=|smaller than|up to|maximum(?: value)?(?: is| of)?|cannot exceed|must not exceed) `?([\d,]+)/i,
  /max(?:imum)?[_ ](?:completion_|output_)?tokens[^.]{0,40}range[^[]{0,20}\[\d+, ?([\d,]+)\]/i,
  /max_tokens: [\d,]+ > ([\d,]+), which is the maximum/i,
];

/** Matches errors of models that accept function tools only on the Responses API (BerriAI/litellm#34569). */
export const responsesOnlyWords =
  /function tools with reasoning_effort are not supported|not supported (?:in|with|on) the v1\/chat\/completions|use (?:the )?(?:\/v1\/)?responses\b|only supported in (?:\/)?v1\/responses/i;

/** Matches errors of servers that do not have the requested path. */
export const noSuchPathWords = /(?:unknown|invalid) (?:url|path|endpoint|route)|page not found|cannot post|no route|unknown request url|not found/i;

/** Patterns of errors that name a rejected request part. The first matching part that the request contains is omitted. */
export const refusedParts: readonly (readonly [RequestPart, RegExp])[] = [
  ['stream_options', /stream_options|include_usage/i],
  [
    'max_tokens',
    /max_tokens[^.]*(?:not supported|unsupported|instead)|max_completion_tokens[^.]*(?:not supported|unsupported|instead|unrecognized|unknown|extra|not permitted)/i,
  ],
  ['tool_choice', /tool_choice[^.]*(?:not supported|unsupported|unrecognized|unknown|extra|not permitted|must be)|unsupported[^.]*tool_choice/i],
  [
    'tools',
    /(?:does not|doesn't|do not|cannot) support (?:tools?|functions?|tool use|tool calling|function calling)|(?:tools?|functions?)(?: use| calling| calls?)?(?: is| are)? not (?:supported|available|enabled|permitted|allowed)|support tool use|enable-auto-tool-choice|tool-call-parser|(?:unrecognized|unknown|unsupported|unexpected|extra)[^.]{0,60}\btools\b|\btools\b[^.]{0,40}(?:unrecognized|unknown field|extra (?:inputs|fields)|not permitted)/i,
  ],
  [
    'images',
    /(?:does not|doesn't|do not|cannot) (?:support|accept|process|read) (?:image|vision|multimodal)|(?:images?|vision|image_url|image input|multimodal)(?: input| content)?(?: is| are)? (?:not|un)\s?supported|support image input|unknown variant `?image_url|not a (?:multimodal|vision)|mmproj|only (?:'?text'?|text content)(?: content)?(?: type)?s? (?:is|are) (?:supported|allowed)|(?:unsupported|invalid|unexpected)[^.]{0,40}image_url|image_url[^.]{0,40}(?:not|un)\s?(?:supported|allowed|expected)/i,
  ],
  ['sound', /input_audio|audio(?: input| content)?(?: is| are)? (?:not|un)\s?supported|(?:does not|doesn't) support audio/i],
  ['cache_control', /cache_control/i],
  [
    'null_content',
    /content[^.]{0,80}(?:valid string|string_type|not be null|null is not|none is not|expected (?:a )?string)|(?:null|none)\b[^.]{0,40}\bcontent\b/i,
  ],
  ['summary', /reasoning\.summary|reasoning summar/i],
  [
    'reasoning',
    /reasoning_content|reasoning_details|'reasoning'|"reasoning"|`reasoning`|encrypted_content|invalid[^.]{0,40}signature|signature[^.]{0,60}(?:invalid|not valid|corrupt)|thinking[^.]{0,60}cannot be modified/i,
  ],
  ['effort', /reasoning_effort|reasoning\.|output_config|budget_tokens|enable_thinking|adaptive|\bthinking\b|\beffort\b|thinking_config/i],
];

/** Matches errors about an earlier reply without the reasoning or signature that the server requires. Its calls are then sent as text. */
export const missingDataWords =
  /(?:missing|required|must (?:be|have|include|contain)|expected|provide|passed back|without)[^.]{0,100}(?:reasoning_content|thought_signature|signature|`?thinking`?|redacted_thinking|'?reasoning'? item)|(?:reasoning_content|thought_signature|thinking|'?reasoning'? item)[^.]{0,80}(?:missing|required|must be|is needed|passed back)/i;

/** Matches errors of servers that accept images but cannot process one of them. */
export const badPictureWords =
  /(?:could not|cannot|can't|unable to|failed to) (?:process|decode|load|identify|read|open|download|fetch)[^.]{0,40}(?:image|picture)|invalid (?:image|base64)|image[^.]{0,60}(?:corrupt|invalid|malformed|too (?:large|big|small)|exceeds|dimensions|could not)|unsupported image/i;

/** Matches errors about the schema of a tool. The first group is the tool's index; without it, the text contains the tool's name. */
export const schemaWords =
  /tools?[.[](\d+)|invalid schema for function|input_schema|function[_ ](?:parameters|declarations?)|parameters? schema|json[_ ]?schema|(?:anyOf|oneOf|allOf)/i;

/** Matches rejections that cannot be fixed by omitting a request part. */
export const otherCauseWords =
  /model[^.]{0,60}(?:not (?:found|exist|available|be found)|does not exist|decommissioned|deprecated|unknown|retired)|no such model|(?:invalid|unknown) model|moderation|safety system|content policy|not a chat model/i;

/** Matches failures of a local server's chat template or grammar, for which a retry would also fail. */
export const templateWords = /jinja|template|grammar|raise_exception|roles must alternate|conversation roles|system (?:message|role)|unexpected role/i;

/** Fault kinds by the code and type of an error in a reply. */
export const kindWords: readonly (readonly [RegExp, ModelFaultKind])[] = [
  [/insufficient_quota|billing|credit/i, 'budget'],
  [/rate_limit|too_many_requests/i, 'rate_limit'],
  [/authentication|permission|invalid_api_key|unauthorized/i, 'auth'],
  [/invalid_request|not_found|context_length|request_too_large|unsupported/i, 'refused'],
  [/overloaded|api_error|server_error|timeout|unavailable/i, 'transient'],
];
