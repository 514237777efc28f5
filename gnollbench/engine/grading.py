"""The grading of one answer: members, verifier, re-grade, flags, reader, in that order (R17, R30-R36).

Nothing here moves a score. Verdicts and rulings are put into the record; scoring reads them from there.
"""

from collections.abc import Iterable
from dataclasses import replace

from gnollbench.engine.launch import SCORING_METHOD, Resolved
from gnollbench.engine.question import MEMBER_ROLES, Crew, Work, all_of
from gnollbench.records.run import Answer, ExamQuestion, Mode, Role, Unscored, UnscoredCode
from gnollbench.records.scores import Rules, count
from gnollbench.roles.grading import Graded, Material
from gnollbench.roles.regrade import BeyondFindings, withdrawn
from gnollbench.roles.untrusted import one_line
from gnollbench.roles.verifier import gather
from gnollbench.scoring.flags import CONTESTING, flags_of, triggers_of
from gnollbench.scoring.profile import method_of
from gnollbench.scoring.quality import occurs
from gnollbench.scoring.verdict import Claim, ClaimKind, FlagName, Member, ReaderMode, Trigger, Verdict


async def grade_answer(resolved: Resolved, crew: Crew, work: Work) -> None:
    """Grade an answer by every member that has no verdict on it yet, then do all that follows from verdicts.

    What follows waits for every member: the verifier is asked once, over the union of their charges (R33).
    """
    await _assess(resolved, crew, work)
    whole = len(work.answer.verdicts) == len(crew.graders)
    if whole:
        await _verify(resolved, crew, work)
        await regrade_answer(resolved, crew, work)
    answer = work.answer
    work.put(flags=flags_of(answer.verdicts, answer.claims, answer.text))
    if whole and crew.reader is not None:
        triggers = due_triggers(resolved, work.question, work.answer)
        if crew.reader_mode is ReaderMode.ALL:
            triggers = (*triggers, Trigger.ALL)
        if triggers:
            await read_answer(resolved, crew, work, triggers)


async def read_answer(resolved: Resolved, crew: Crew, work: Work, triggers: tuple[Trigger, ...]) -> None:
    """Have the reader grade an answer with the verifier's findings, blind unless configured else (R31, R32)."""
    if crew.reader is None:
        return
    answer = work.answer
    material = replace(
        _material(resolved, work),
        findings=findings_of(
            claim for claim in answer.claims if claim.kind is not ClaimKind.ASSESSOR_STATEMENT
        ),
        others_verdict=None if crew.reader_is_blind else answer.verdicts.get(Member.A),
    )
    with work.booking(crew.log(Role.READER)) as log:
        result = await crew.reader.grade(material, log)
    unscored = {name: why for name, why in answer.unscored.items() if name != "reader"}
    if result.unscored is not None:
        unscored["reader"] = result.unscored
    verdict = result.verdict and with_quote_checked(result.verdict, answer.text)
    work.put(triggers=triggers, reader=verdict, unscored=unscored)


async def regrade_answer(resolved: Resolved, crew: Crew, work: Work) -> None:
    """Have a single assessor grade once more where findings contest its verdict; stored apart (R35)."""
    answer = work.answer
    flags = flags_of(answer.verdicts, answer.claims, answer.text)
    if len(crew.graders) > 1 or not any(flag.name in CONTESTING for flag in flags):
        return
    first = answer.verdicts[Member.A]
    material = replace(_material(resolved, work), findings=findings_of(answer.claims), own_verdict=first)
    with work.booking(crew.log(Role.ASSESSOR)) as log:
        result = await crew.graders[Member.A].grade(material, log)
    regrade, problem = None, result.unscored
    if result.verdict is not None:
        try:
            regrade = withdrawn(first, with_quote_checked(result.verdict, answer.text), answer.claims)
        except BeyondFindings as beyond:
            problem = Unscored(code=UnscoredCode.SCHEMA, message=f"beyond the findings: {beyond}")
    unscored = {name: why for name, why in answer.unscored.items() if name != "regrade"}
    work.put(regrade=regrade, unscored=unscored | ({"regrade": problem} if problem else {}))


def due_triggers(resolved: Resolved, question: ExamQuestion, answer: Answer) -> tuple[Trigger, ...]:
    """Return the triggers that a graded answer fires by itself (R31)."""
    launch = resolved.launch
    rules = Rules(Mode(launch.panel.mode), method_of(SCORING_METHOD), launch.profile)
    counted = count(question, answer, rules)
    if counted is None:
        return ()  # a member's verdict is missing: nothing to read a second time
    quality = counted.score.quality
    return triggers_of(answer.verdicts, answer.claims, answer.text, quality, launch.profile.reader)


def findings_of(claims: Iterable[Claim]) -> tuple[str, ...]:
    """Return the verifier's findings as a grader sees them: each once, no member, no verdict."""
    return tuple(
        dict.fromkeys(
            one_line(f"{claim.effective_ruling}: “{one_line(claim.quote)}” {claim.reason}")
            for claim in claims
        )
    )


def with_quote_checked(verdict: Verdict, text: str) -> Verdict:
    """Return the verdict with ``critical_error.found`` as the harness sees it (R21)."""
    error = verdict.critical_error
    if error is None:
        return verdict
    checked = error.model_copy(update={"found": occurs(error.quote, text)})
    return verdict.model_copy(update={"critical_error": checked})


async def _assess(resolved: Resolved, crew: Crew, work: Work) -> None:
    """Have the members grade at once, blind, under the identical prompt.

    One that fails, or is canceled, costs no other.
    """
    material = _material(resolved, work)
    logs = {m: crew.log(MEMBER_ROLES[m]) for m in crew.graders if m not in work.answer.verdicts}
    results: dict[Member, Graded] = {}

    async def grade(member: Member) -> None:
        results[member] = await crew.graders[member].grade(material, logs[member])

    try:
        await all_of(map(grade, logs))
    finally:
        for member, log in logs.items():
            work.book(log)
            if member in results:
                _take(crew, work, member, results[member])


def _take(crew: Crew, work: Work, member: Member, result: Graded) -> None:
    """Put what a member's grading gave into the answer."""
    unscored = {name: why for name, why in work.answer.unscored.items() if name != member.value}
    verdicts = dict(work.answer.verdicts)
    if result.verdict is not None:
        verdicts[member] = with_quote_checked(result.verdict, work.answer.text)
    elif result.unscored is not None:
        unscored[member.value] = result.unscored
        if result.fatal:
            why = result.unscored.message
            work.fatal = f"a grader's provider refuses every call (see its endpoint, model, key): {why}"
    work.put(
        verdicts={member: verdicts[member] for member in crew.graders if member in verdicts},
        unscored=unscored,
    )


async def _verify(resolved: Resolved, crew: Crew, work: Work) -> None:
    answer = work.answer
    early = flags_of(answer.verdicts, (), answer.text)
    contested = {flag.member for flag in early if flag.name is FlagName.CONTESTED_VERDICT and flag.member}
    items = gather(answer.verdicts, contested)
    if crew.verifier is None or not items:
        return
    with work.booking(crew.log(Role.VERIFIER)) as log:
        verified = await crew.verifier.verify(work.question.text, resolved.snapshot, items, log)
    work.put(claims=verified.claims)
    if verified.problem:
        work.warnings.append(
            f"{work.question.id}: {verified.problem}; what was not ruled on is indeterminate"
        )


def _material(resolved: Resolved, work: Work) -> Material:
    return Material(
        question=work.question.text,
        rubric=work.question.rubric,
        answer=work.answer.text,
        snapshot=resolved.snapshot,
    )
