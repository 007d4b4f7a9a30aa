// Renders the details of a call: decision, answer, arguments, and result.
import { answerLabel, decisionText, type ToolEntry } from 'agent-harness/client';
import { outputText } from 'agent-harness/transcript';
import { printedText } from 'agent-harness/transcript';
import { renderOutput } from '#lib/terminal';
import { EntryTools } from '../../../points/entry-tools.tsx';
import { ToolResultSlot } from '../../../points/tool-result-slot.tsx';
import { CodeBlock } from '../../../kit/code/code-block.tsx';
import { languageOf } from '../../../kit/code/language-of.ts';
import { Markdown } from '../../../kit/markdown/markdown.tsx';
import { TaskView } from './task-view.tsx';
import { ToolArguments } from './tool-arguments.tsx';
import { ToolResult } from './tool-result.tsx';

export function ToolBody({ entry }: { readonly entry: ToolEntry }) {
  const { compose, progress, question, answer, task } = entry;
  const isUnderWay = entry.state === 'writing' || entry.state === 'queued' || entry.state === 'running' || entry.state === 'waiting';
  const composing = compose && !compose.isDone ? compose : undefined;
  const prompt = question?.prompt ?? (answer === undefined ? undefined : textOf(entry.args?.['prompt']));
  return (
    <>
      {prompt !== undefined && (
        <div className="tool-question">
          <Markdown text={prompt} id={`${entry.id}:prompt`} />
        </div>
      )}
      {answer !== undefined && (
        <p className="tool-answer" dir="auto">
          <span className="muted">{answerLabel(entry)} </span>
          {answer}
        </p>
      )}
      {entry.decision && <p className="tool-decision">{decisionText(entry.decision)}</p>}
      {composing ? (
        <CodeBlock id={`${entry.id}:compose`} lang={languageOf(composing.path)} code={composing.text} title={composing.path} isStreaming />
      ) : (
        prompt === undefined && !task && <ToolArguments entry={entry} />
      )}
      <TaskView entry={entry} />
      {isUnderWay && progress.length > 0 && (
        <pre className="tool-output" tabIndex={0}>
          {renderOutput(printedText(progress))}
        </pre>
      )}
      {outputText(entry) !== undefined && answer === undefined && <ToolResultSlot entry={entry} fallback={<ToolResult entry={entry} />} />}
      <EntryTools kind="call" id={entry.id} />
    </>
  );
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
