package agents

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"time"

	"colloquy/agents/llm"
	"colloquy/classroom"
)

// ServerError returns the error of a server of models as whoever connects the model of
// that title reads it.
func ServerError(e *llm.Error, title string) *classroom.Error {
	params := classroom.Params{"model": title}
	if s := seconds(e.RetryAfter); s > 0 {
		params["seconds"] = strconv.Itoa(s)
	}
	return classroom.ModelServerError(string(e.Fault), e.Problem, params)
}

// publicError returns a model's error as run_end would report it to people. The
// detail for operators is logged, since there is no run_end to keep it.
func (rt *Runtime) publicError(ctx context.Context, model llm.Model, err error) error {
	if ctx.Err() != nil {
		return err
	}
	end := failureOf(err, model)
	rt.o.Logger.Info("model gave no answer", "code", end.Code, "detail", end.Detail)
	return classroom.ModelAnswerError(end)
}

// failureOf returns the end of a run whose model failed.
func failureOf(fault error, model llm.Model) classroom.RunEnd {
	code, params := problemOf(fault, model)
	return classroom.RunEnd{Status: classroom.Failed, Code: code, Params: params, Detail: detail(fault)}
}

// problemOf returns the code of a model's error, and the values that its sentence
// needs. They hold no address: everybody in the class reads them.
func problemOf(fault error, model llm.Model) (code string, params classroom.Params) {
	params = classroom.Params{"model": cmp.Or(llm.ProfileOf(model).Title, model.Name())}
	e, ok := errors.AsType[*llm.Error](fault)
	switch {
	case ok:
		params["problem"] = e.Problem
		if e.Status != 0 {
			params["status"] = strconv.Itoa(e.Status)
		}
		if s := seconds(e.RetryAfter); s > 0 {
			params["seconds"] = strconv.Itoa(s)
		}
		code = string(e.Fault)
	case errors.Is(fault, llm.ErrIncomplete):
		code = "cut"
	default:
		code = "upstream"
	}
	maps.DeleteFunc(params, func(_, value string) bool { return value == "" })
	return code, params
}

// seconds returns d in whole seconds, rounded up.
func seconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }

func detail(fault error) string {
	text := fault.Error()
	if len(text) > 500 {
		text = text[:500]
	}
	return fmt.Sprintf("%.500s", text)
}
