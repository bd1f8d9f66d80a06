package classroom

// Key returns the key of the sentence that says why the run ended.
func (e RunEnd) Key() string {
	if problem := e.Params["problem"]; problem != "" {
		return "model_error." + problem
	}
	return "run_end." + e.Code
}

// Key returns the key of the sentence that says why the model is asked again.
func (r Retry) Key() string {
	if problem := r.Params["problem"]; problem != "" {
		return "model_error." + problem
	}
	return "retry." + r.Reason
}
