print("larder-benchmarks")
